#!/usr/bin/env python3
"""The numbers in lib/*.d are those of the C headers of this system."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LIB = pathlib.Path(os.environ["TESTS"]).parent / "lib"
HEADERS = ["errno.h", "signal.h", "fcntl.h", "sys/socket.h", "netinet/in.h", "netinet/tcp.h", "net/if_arp.h", "unistd.h",
           "sys/mman.h", "sched.h", "sys/stat.h", "sys/file.h", "poll.h", "sys/epoll.h", "sys/resource.h", "sys/wait.h",
           "time.h", "sys/time.h", "linux/futex.h"]
TCP = {"CLOSED": "CLOSE", "SYN_RECEIVED": "SYN_RECV", "FIN_WAIT_1": "FIN_WAIT1", "FIN_WAIT_2": "FIN_WAIT2"}
# No header has them, nor TCPS_*, PCAP_* and names in small letters.
OURS = {"TH_ECE", "TH_CWR", "TH_ECN", "TCP_STATE_BOUND", "TCP_STATE_IDLE", "IPPROTO_OSPF",
        "MAP_ALIGN", "MAP_INITDATA", "MAP_RENAME", "MAP_TEXT"}

compiler = shutil.which("cc") or shutil.which("gcc")
if compiler is None:
    print("there is no C compiler")
    sys.exit(77)

checks = []
for name in ["errno.d", "signal.d", "fcntl.d", "net.d", "unistd.d", "mman.d", "task.d", "time.d", "stat.d", "poll.d", "socket.d"]:
    for constant, value in re.findall(r"^inline (?:int|uint32_t) (\w+) = (-?\w+);", (LIB / name).read_text(), re.M):
        if constant in OURS or constant.islower() or constant.startswith(("DTRACEFLT_", "TCPS_", "PCAP_")):
            continue
        c_name = constant
        if constant.startswith("TCP_STATE_"):
            state = constant[len("TCP_STATE_"):]
            c_name = "TCP_" + TCP.get(state, state)
        # O_LARGEFILE is 0 for programs of 64 bits; the kernel's flag is what a probe sees.
        c_value = "0100000" if constant == "O_LARGEFILE" else c_name
        checks.append(f'_Static_assert({c_value} == {value}, "{constant}");')
assert len(checks) > 500, len(checks)
with tempfile.TemporaryDirectory() as directory:
    source = pathlib.Path(directory) / "constants.c"
    source.write_text("#define _GNU_SOURCE\n" + "".join(f"#include <{h}>\n" for h in HEADERS) + "\n".join(checks) + "\n")
    result = subprocess.run([compiler, "-fsyntax-only", str(source)], capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stderr)
        sys.exit(1)
