#!/usr/bin/env python3
# @@host
"""In a call with i386's number, argstr shows the addresses of structures: these have other members there."""
import os
import re
import subprocess
import sys
import tempfile

# nanosleep(address of {0 s, 5 ns}, NULL) by "int $0x80", with the code and the structure below 4 GB.
PROGRAM = r"""
import ctypes, mmap, struct
page = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, prot=7)
# push %rbx; mov %edi,%ebx; mov $162,%eax; xor %ecx,%ecx; int $0x80; pop %rbx; ret
page.write(b"\x53\x89\xfb\xb8\xa2\0\0\0\x31\xc9\xcd\x80\x5b\xc3")
page.seek(64)
page.write(struct.pack("=iiii", 0, 5, 7, 9))
at = ctypes.addressof(ctypes.c_char.from_buffer(page))
raise SystemExit(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(at)(at + 64) != 0)
"""

with tempfile.TemporaryDirectory() as directory:
    program = os.path.join(directory, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    command = [sys.executable, program]
    if subprocess.run(command).returncode != 0:
        print("skipped: the kernel takes no calls with i386's numbers")
        sys.exit(77)
    script = 'probe syscall.nanosleep, syscall.nanosleep.return { if (pid() != target()) next; println(argstr) }'
    run = subprocess.run([os.environ["STAP"], "-e", script, "-c", " ".join(command)], capture_output=True, text=True)
if not re.fullmatch(r"(0x[0-9a-f]+, NULL\n){2}", run.stdout):
    print(run.stdout, run.stderr)
    sys.exit(1)
