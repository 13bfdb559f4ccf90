# What some distributions leave of the symbol table of a stripped program (.gnu_debugdata) names its functions
# to the pid provider and in stacks; a damaged one is as if there were none.
# @@timeout: 120
# @@host
import lzma
import os
import random
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
DTRACE = os.environ["DTRACE"]
FRAMES = os.path.join(os.path.dirname(DTRACE), "../../tests/workloads/frames")

for tool in ("objcopy", "strip"):
    if not shutil.which(tool):
        print("there is no", tool)
        sys.exit(SKIP)
work = tempfile.TemporaryDirectory()
stripped = os.path.join(work.name, "stripped")


def program(packed):
    """Strips the program and gives it that section."""
    # Another file: the last one may still be executed by a process that is about to end.
    if os.path.exists(stripped):
        os.unlink(stripped)
    shutil.copy(FRAMES, stripped)
    data = os.path.join(work.name, "data")
    with open(data, "wb") as file:
        file.write(packed)
    # Without its build id, so that no debug file of the system is found.
    subprocess.run(["strip", "--remove-section=.note.gnu.build-id", stripped], check=True)
    subprocess.run(["objcopy", "--add-section", ".gnu_debugdata=" + data, stripped], check=True)


def stacks():
    clause = "syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }"
    return subprocess.run([DTRACE, "-q", "-c", stripped, "-n", clause], capture_output=True, text=True, check=True).stdout


def probes():
    clause = "pid$target:a.out:middle:entry { printf(\"%s\\n\", probefunc); }"
    return subprocess.run([DTRACE, "-q", "-c", stripped, "-n", clause], capture_output=True, text=True)


symbols = os.path.join(work.name, "symbols")
shutil.copy(FRAMES, symbols)
subprocess.run(["objcopy", "--only-keep-debug", symbols], check=True)
subprocess.run(["strip", "--strip-debug", "--only-keep-debug", symbols], check=True)
with open(symbols, "rb") as file:
    packed = lzma.compress(file.read())

program(packed)
out = stacks()
for name in ("inner", "middle", "outer"):
    if f" stripped`{name}+0x" not in out:
        sys.exit(f"stacks: no {name} in {out}")
done = probes()
if "middle\n" not in done.stdout:
    sys.exit(f"probes: {done.stdout}{done.stderr}")

noise = random.Random(6)
damaged = [b"", b"\xfd7zXZ\x00", packed[:len(packed) // 2], packed[:-1], lzma.compress(b""), lzma.compress(b"\x7fELF"),
           # One that unpacks to more than there is room for.
           lzma.compress(bytes(257 << 20), preset=0)]
for _ in range(20):
    bytes_ = bytearray(packed)
    bytes_[noise.randrange(len(bytes_))] ^= 1 << noise.randrange(8)
    damaged.append(bytes(bytes_))
for packed in damaged:
    program(packed)
    done = probes()
    if done.returncode != 1 or "has no function 'middle'" not in done.stderr:
        sys.exit(f"damaged: {done.returncode}, {done.stdout}{done.stderr}")
if "stripped`inner" in stacks():
    sys.exit("a damaged one names functions")
