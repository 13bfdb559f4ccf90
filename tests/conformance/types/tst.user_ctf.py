# @@timeout: 120
# @@host
# Types of a program without DWARF, from its CTF: what gcc writes, alone, linked and in an archive, and what illumos and
# FreeBSD write, which is made here. Functions have typed arguments where CTF says which they are.
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

DTRACE, TESTS = os.environ["DTRACE"], os.environ["TESTS"]
if not all(map(shutil.which, ("gcc", "objcopy", "strip", "readelf"))):
    print("skipped: there is no gcc, or there are no binutils")
    sys.exit(77)

SOURCE = """
struct thing { int a; unsigned low : 3, high : 13; const char *name; struct thing *next; };
#define KEPT __attribute__((noinline))
KEPT int unknown(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n; }
KEPT long go(struct thing *t, unsigned char c) { __asm__ volatile("" : : "r"(t) : "memory"); return t->a + c; }
int main(void) {
  struct thing last = {2, 1, 9, "last", 0}, first = {1, 5, 4000, "first", &last};
  return go(&first, 200) + unknown(3) == 204 ? 0 : 1;
}
"""
CLAUSE = """pid$target:a.out:go:entry {
	printf("%d %d %d %s\\n", args[0]->a, args[0]->low, args[0]->high, stringof(args[0]->name));
	printf("%s %d\\n", stringof(((struct pid`thing *)arg0)->next->name), args[1]);
	printf("%d %d\\n", sizeof(struct a.out`thing), offsetof(struct a.out`thing, next));
}
pid$target:a.out:go:return { printf("%d\\n", args[1]); }"""
WANTED = "1 5 4000 first\nlast 200\n24 16\n201\n\n"


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


def check(what, done, out, status=0):
    if done.returncode != status or done.stdout != out:
        sys.exit(f"{what}: exit status {done.returncode}, {done.stdout!r}\n{done.stderr}")


def built(home, name, *flags, source=SOURCE):
    with open(f"{home}/{name}.c", "w") as file:
        file.write(source)
    done = run("gcc", "-O1", "-w", *flags, "-o", f"{home}/{name}", f"{home}/{name}.c")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return f"{home}/{name}"


def other_ctf(program, is_wide, is_compressed):
    """As ctfconvert writes it, for the functions of the program in the order of its symbols."""
    strings, types, functions = b"\0", b"", b""
    word = "<I" if is_wide else "<H"

    def text(name):
        nonlocal strings
        at = len(strings) if name else 0
        strings += name.encode() + b"\0" if name else b""
        return struct.pack("<I", at)

    def info(kind, count, is_root=True):
        number = kind << 26 | is_root << 25 | count if is_wide else kind << 11 | is_root << 10 | count
        return struct.pack(word, number)

    def number(value):
        return struct.pack(word, value)

    def integer(name, size, form, bits, is_root=True):
        return text(name) + info(1, 0, is_root) + number(size) + struct.pack("<I", form << 24 | bits)

    types += integer("int", 4, 1, 32) + integer("unsigned int", 4, 0, 3, False)  # 1, 2
    types += integer("unsigned int", 4, 0, 13, False) + integer("char", 1, 3, 8)  # 3, 4
    types += text("") + info(12, 0) + number(4) + text("") + info(3, 0) + number(5)  # 5: const char, 6: *
    types += text("thing") + info(6, 5) + number(24)  # 7
    for name, kind, offset in (("a", 1, 0), ("low", 2, 32), ("high", 3, 35), ("name", 6, 64), ("next", 8, 128)):
        types += text(name) + number(kind) + number(offset)
    types += text("") + info(3, 0) + number(7) + integer("unsigned char", 1, 2, 8) + integer("long", 8, 1, 64)  # 8, 9, 10
    for line in run("readelf", "-sW", program).stdout.split("'.symtab'")[1].splitlines():
        words = line.split()
        if len(words) < 8 or words[3] != "FUNC" or words[6] == "UND":
            continue
        functions += info(5, 2, False) + number(10) + number(8) + number(9) if words[7] == "go" else number(0)
    functions += b"\0" * (-len(functions) % 4)
    body = functions + types + strings
    header = struct.pack("<HBB8I", 0xcff1, 3 if is_wide else 2, is_compressed, 0, 0, 0, 0, 0, len(functions),
                         len(functions) + len(types), len(strings))
    return header + (zlib.compress(body) if is_compressed else body)


with tempfile.TemporaryDirectory() as home:
    # The workload with every kind of type, as with DWARF.
    with open(f"{TESTS}/workloads/types.c") as file:
        types = built(home, "types", "-O0", "-gctf", source=file.read())
    script = f"{TESTS}/conformance/types/tst.user_types.d"
    with open(script + ".r") as file:
        wanted = file.read()
    check("gcc -gctf", run(DTRACE, "-qs", script, "-c", types), wanted)
    run("strip", types)
    check("stripped", run(DTRACE, "-qs", script, "-c", types), wanted)

    # GNU's linker keeps the types of functions that other objects may call.
    program = built(home, "gnu", "-gctf", "-rdynamic")
    check("gcc -gctf -rdynamic", run(DTRACE, "-qn", CLAUSE, "-c", program), WANTED)

    for is_wide in (False, True):
        for is_compressed in (False, True):
            program = built(home, "other")
            with open(f"{home}/ctf", "wb") as file:
                file.write(other_ctf(program, is_wide, is_compressed))
            run("objcopy", "--add-section", f".SUNW_ctf={home}/ctf", program)
            check(f"CTF {2 + is_wide} {is_compressed}", run(DTRACE, "-qn", CLAUSE, "-c", program), WANTED)

    # An archive: two files disagree about one type, which is refused; the others are there.
    for name, member in (("one", "long x; char y"), ("two", "short x")):
        built(home, f"{name}.o", "-gctf", "-c", source=f"struct clash {{ {member}; }};\nstruct alike {{ int q[3]; }};\n"
              f"struct of_{name} {{ struct clash *c; struct alike a; }};\n"
              f"long {name}(struct of_{name} *o) {{ return o->c->x + o->a.q[1]; }}\n")
    with open(f"{home}/main.c", "w") as file:
        file.write("int main(void) { return 0; }\n")
    done = run("gcc", "-gctf", "-o", f"{home}/archive", f"{home}/one.o", f"{home}/two.o", f"{home}/main.c")
    sizes = "printf(\"%d %d %d\\n\", sizeof(struct pid`alike), sizeof(struct pid`of_one), sizeof(struct pid`of_two));"
    check("archive", run(DTRACE, "-qn", f"BEGIN {{ {sizes} exit(0); }}", "-c", f"{home}/archive"), "12 24 24\n\n")
    done = run(DTRACE, "-n", "BEGIN { trace(sizeof(struct a.out`clash)); }", "-c", f"{home}/archive")
    if done.returncode != 1 or "hint: a.out has different types of the name clash" not in done.stderr:
        sys.exit(f"a name of two types: {done.returncode} {done.stderr}")

    # What cannot be read is said.
    program = built(home, "broken")
    for content, why in ((b"\xf1\xcf\x01\0" + bytes(40), "CTF: version 1 is not read"), (b"nonsense", "CTF: it does not begin as such"),
                         (b"\xf2\xdf\x04\0", "CTF: its header is cut off")):
        with open(f"{home}/ctf", "wb") as file:
            file.write(content)
        run("objcopy", "--remove-section", ".ctf", program)
        run("objcopy", "--add-section", f".ctf={home}/ctf", program)
        done = run(DTRACE, "-n", "BEGIN { trace(sizeof(struct a.out`thing)); }", "-c", program)
        if done.returncode != 1 or f"hint: a.out: {why}" not in done.stderr:
            sys.exit(f"{content}: {done.returncode} {done.stderr}")
