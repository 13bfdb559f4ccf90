# A module of the kernel is loaded, and taken away again.
import ctypes
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
SKIP, NAME = 77, "dummy"
INIT_MODULE, DELETE_MODULE, O_NONBLOCK = 175, 176, 0o4000
libc = ctypes.CDLL(None, use_errno=True)


def module():
    """The module's bytes, of this kernel's own or of the guest's; None when there is none."""
    places = ["/lib/modules", *map(str, (pathlib.Path(os.environ["TESTS"]).parent / "build/vm").glob("*"))]
    for place in places:
        for path in pathlib.Path(place).glob(f"**/{os.uname().release}/kernel/drivers/net/{NAME}.ko*"):
            data = path.read_bytes()
            return lzma.decompress(data) if path.suffix == ".xz" else data if path.suffix == ".ko" else None
    return None


data = module()
if data is None:
    print(f"skipped: this kernel has no module {NAME} to load")
    sys.exit(SKIP)
with tempfile.NamedTemporaryFile("w+") as out:
    process = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=10ms", "-n",
                                'BEGIN { printf("ready\\n"); } '
                                'sysinfo:::modload, sysinfo:::modunload /pid == $1/ '
                                '{ printf("%s %d\\n", probename, args[0]); }', str(os.getpid())],
                               stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while "ready" not in open(out.name).read():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"dtrace did not start: {process.stderr.read()}")
        time.sleep(0.02)
    if libc.syscall(INIT_MODULE, data, ctypes.c_ulong(len(data)), b"") != 0:
        process.kill()
        print(f"skipped: the module {NAME} cannot be loaded: {os.strerror(ctypes.get_errno())}")
        sys.exit(SKIP)
    gone = libc.syscall(DELETE_MODULE, NAME.encode(), O_NONBLOCK)
    process.terminate()
    said = process.communicate(timeout=60)[1]
    text = open(out.name).read().split("\n")
print(text, said)
if gone != 0 or said or process.returncode != 0:
    sys.exit("it did not end well")
if [line for line in text if line] != ["ready", "modload 1", "modunload 1"]:
    sys.exit("modload and modunload did not fire once each")
