# @@timeout: 120
# @@host
# -x ctypes and -x dtypes write CTF to files whose names end with .ctf: what GNU's reader and our own make of it.
import os
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
if not all(map(shutil.which, ("cc", "objcopy", "objdump"))):
    print("skipped: there is no C compiler, or there are no binutils")
    sys.exit(77)

SCRIPT = """
enum color { RED, GREEN = 5, LOW = -3 };
struct part { int number; struct part *next; };
typedef struct part part_t;
struct later;
struct whole {
	part_t first; unsigned bits : 3; unsigned more : 11;
	union { long all; char each[8]; };
	enum color color; uint64_t *table[2]; string name; struct later *later; int matrix[2][3];
};
BEGIN { trace(sizeof(struct whole)); trace(curthread->signal->nr_threads); }
"""
# Names and offsets in bits, as GNU's reader prints them.
MEMBERS = {"part": [("number", "0x0", "int"), ("next", "0x40", "struct part *")],
           "whole": [("first", "0x0", "part_t"), ("bits", "0x80", "unsigned int:3"), ("more", "0x83", "unsigned int:11"),
                     ("", "0xc0", "union"), ("color", "0x100", "enum color"), ("table", "0x140", "uint64_t *[2]"),
                     ("name", "0x1c0", "char [32]"), ("later", "0x2c0", "struct later *"), ("matrix", "0x300", "int [3][2]")]}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{words}: {done.returncode} {done.stdout[:2000]} {done.stderr}")
    return done.stdout


def dump(home, name):
    """The types of a file of CTF by GNU's reader, which reads it from an object."""
    run("objcopy", "--add-section", f".ctf={home}/{name}", f"{home}/main.o", f"{home}/{name}.o")
    return run("objdump", "--ctf=.ctf", f"{home}/{name}.o")


def struct_of(text, name):
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if re.match(rf" *0x[0-9a-f]+: \(kind 6\) struct {name} \(size", line)), None)
    if at is None:
        sys.exit(f"no struct {name} in {text[:3000]}")
    members = []
    indent = len(lines[at + 1]) - len(lines[at + 1].lstrip())
    for line in lines[at + 1:]:
        member = re.match(r"( *)\[(0x[0-9a-f]+)\] (.*?): ID 0x[0-9a-f]+: \(kind \d+\) (.*?) *(\(|\[slice)", line)
        if not member:
            break
        if len(member[1]) == indent:
            members.append((member[3], member[2], member[4]))
    return lines[at], members


with tempfile.TemporaryDirectory() as home:
    with open(f"{home}/main.c", "w") as file:
        file.write("int main(void) { return 0; }\n")
    run("cc", "-c", "-o", f"{home}/main.o", f"{home}/main.c")
    with open(f"{home}/t.d", "w") as file:
        file.write(SCRIPT)
    run(DTRACE, "-e", "-x", "strsize=32", "-x", f"dtypes={home}/d.ctf", "-x", f"ctypes={home}/c.ctf", "-s", f"{home}/t.d")
    own, used = dump(home, "d.ctf"), dump(home, "c.ctf")
    for text in (own, used):
        for name, members in MEMBERS.items():
            head, found = struct_of(text, name)
            if found != members:
                sys.exit(f"struct {name}: {found}, wanted {members}\n{text[:3000]}")
        if "RED: 0\n" not in text or "LOW: -3\n" not in text or "struct later" not in text:
            sys.exit(f"the enumerators: {text[:3000]}")
    if "struct task_struct (size" in own:
        sys.exit("dtypes has types of the kernel")
    size = run(DTRACE, "-qn", "BEGIN { printf(\"0x%x 0x%x\", sizeof(struct task_struct), "
               "offsetof(struct task_struct, signal) * 8); exit(0); }").split()
    head, found = struct_of(used, "task_struct")
    if f"(size {size[0]})" not in head or ("signal", size[1], "struct signal_struct *") not in found:
        sys.exit(f"struct task_struct: {head}, wanted {size}")

    # Our reader, of a program with that section; more types than 16 bits have numbers for.
    count = 40000
    with open(f"{home}/many.d", "w") as file:
        file.write("".join(f"struct s{i} {{ int m; struct s{i - 1} *p; }};\n" if i else "struct s0 { int m; };\n"
                           for i in range(count)) + f"struct grid {{ int g[2][3]; }};\nBEGIN {{ trace(sizeof(struct s{count - 1})); }}\n")
    run(DTRACE, "-e", "-x", f"dtypes={home}/many.ctf", "-s", f"{home}/many.d")
    text = dump(home, "many.ctf")
    numbers = [int(line[1], 16) for line in re.finditer(r"^ *0x([0-9a-f]+): \(kind 6\) struct s\d+ \(size", text, re.M)]
    if len(numbers) != count or max(numbers) <= 1 << 15:
        sys.exit(f"{len(numbers)} structures, the last is number {max(numbers, default=0)}")
    run("cc", "-o", f"{home}/many", f"{home}/many.ctf.o")
    out = run(DTRACE, "-qn", f"BEGIN {{ printf(\"%d %d %d %d\", sizeof(struct pid`s0), sizeof(struct pid`s{count - 1}), "
              "offsetof(struct pid`s7, p), sizeof(((struct pid`grid *)NULL)->g[0])); exit(0); }", "-c", f"{home}/many")
    if out.split() != ["4", "16", "8", "12"]:
        sys.exit(f"read back: {out}")
