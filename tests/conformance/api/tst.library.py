# The library as it is installed: what it exports, its pkg-config file, the example of
# docs/api.md and those of examples/, from C++, C and Python.
# @@host
# @@timeout: 400
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

build = pathlib.Path(os.environ["DTRACE"]).resolve().parents[2]
top = pathlib.Path(os.environ["TESTS"]).parent
if not (build / "src/api/libdtrace.so").exists():
    print("libdtrace.so is not built beside this dtrace")
    sys.exit(77)
for tool in ("cmake", "pkg-config", "c++", "cc", "nm"):
    if shutil.which(tool) is None:
        print(f"{tool} is not installed")
        sys.exit(77)

problems = []


def want(condition, text):
    if not condition:
        problems.append(text)


def run(argv, **more):
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, timeout=120, **more)
    return done.returncode, done.stdout, done.stderr


def exports(library):
    """Of C, those that the header declares; of C++, those of its namespace."""
    _, out, _ = run(["nm", "-DC", "--defined-only", library])
    names = [line.split(maxsplit=2)[2].split("@@")[0] for line in out.splitlines() if " A " not in line]
    header = (top / "include/dtrace/dtrace.h").read_text()
    declared = set(re.findall(r"^DTRACE_API [\w *]*?\b(dtrace_\w+)\(", header, re.M))
    of_c = {name for name in names if "::" not in name}
    want(len(declared) > 50 and of_c == declared, f"exports that differ from the header: {sorted(of_c ^ declared)}")
    inner = [name for name in names if "::" in name and (not name.startswith("dtrace::") or "::State" in name)]
    want(not inner, f"exported, and not of the interface: {inner}")
    want(any(name.startswith("dtrace::Tracer::compile(") for name in names), "dtrace::Tracer is not exported")


def compile_program(compiler, source, flags):
    program = work / pathlib.Path(source).stem
    words = ["-std=c++20"] if compiler == "c++" else ["-std=c11"]
    status, out, err = run([compiler, *words, "-Wall", "-Wextra", "-Werror", source, *flags, "-o", program])
    want(status == 0, f"{source}:\n{err}")
    return program


def document():
    """Its example prints what it says."""
    text = (top / "docs/api.md").read_text()
    program, shown = re.search(r"```cpp\n(.*?)```\n\n```\n(.*?)```", text, re.S).groups()
    (work / "example.cc").write_text(program)
    example = compile_program("c++", work / "example.cc", flags)
    want(run([example], env=env) == (0, shown, ""), f"docs/api.md: {run([example], env=env)}")


def syscall_top():
    """Its table has the calls of a process, once in full and then none."""
    program = compile_program("c++", top / "examples/syscall-top.cc", flags)
    busy = subprocess.Popen([sys.executable, "-c", "import os,time\nwhile True: os.getppid(); time.sleep(0.01)"])
    try:
        status, out, err = run([program, 2, busy.pid], env=env)
    finally:
        busy.kill()
        busy.wait()
    rows = re.findall(r"^python\S* +getppid +(\d+) +(\d+)$", out, re.M)
    want(status == 0 and len(rows) == 2, f"syscall-top: {status}\n{out}{err}")
    if len(rows) == 2:
        (first, total), (second, both) = [[int(n) for n in row] for row in rows]
        want(0 < first == total and 0 < second and both == first + second, f"syscall-top: {rows}")


def firings():
    program = compile_program("cc", top / "examples/firings.c", flags)
    script = 'BEGIN { printf("%d %s", 7, "x\\ny"); } tick-10ms /++n == 3/ { trace(n); exit(5); }'
    status, out, err = run([program, script], env=env)
    want(status == 5 and re.fullmatch(
        r'\d{19} dtrace:::BEGIN 7=7 "x\\ny"=x\ny\n\d{19} profile:::tick-10ms n=3 5=5\n2 firings\n', out),
        f"firings: {status}\n{out}{err}")
    status, out, err = run([program, "BEGIN { trace(nothing); }"], env=env)
    want(status == 1 and "Unknown variable name" in err and "^~~~~~~" in err, f"firings: {status}\n{err}")
    # The D libraries are found from where the library lies.
    status, out, err = run([program, 'BEGIN { trace(curpsinfo->pr_fname); exit(0); }'], env=env)
    want(status == 0 and "curpsinfo->pr_fname=firings" in out, f"firings: {status}\n{out}{err}")


def writes():
    code = "import os, time\nf = os.open('/dev/null', os.O_WRONLY)\n" \
           "while True: os.write(f, b'x' * 5); os.write(f, b'x' * 600); time.sleep(0.01)"
    writer = subprocess.Popen([sys.executable, "-c", code])
    try:
        status, out, err = run([sys.executable, top / "examples/writes.py", writer.pid, 1], env=env)
    finally:
        writer.kill()
        writer.wait()
    found = dict(re.findall(r"^(\d+\.\.\d+) bytes: (\d+)$", out, re.M))
    counts = [int(found.get(bucket, 0)) for bucket in ("4..7", "512..1023")]
    want(status == 0 and set(found) == {"4..7", "512..1023"} and min(counts) > 0 and max(counts) - min(counts) <= 1,
         f"writes.py: {status}\n{out}{err}")


def ctypes_values():
    """Every kind of value, and a handle that refuses what comes too late."""
    lib = ctypes.CDLL(str(library))
    for name in re.findall(r"^DTRACE_API (?:const )?(?:char|uint8_t|dtrace_\w+)\* (dtrace_\w+)\(",
                           (top / "include/dtrace/dtrace.h").read_text(), re.M):
        getattr(lib, name).restype = ctypes.c_void_p
    lib.dtrace_value_integer.restype = lib.dtrace_record_time.restype = ctypes.c_int64
    lib.dtrace_value_size.restype = ctypes.c_size_t

    def text(pointer):
        return ctypes.string_at(pointer).decode()

    def pointer(function, *arguments):
        return ctypes.c_void_p(function(*arguments))

    want(lib.dtrace_abi_version() == 1, "the version of the interface")
    tracer = pointer(lib.dtrace_new)
    got = {}

    def take(_, record):
        record = ctypes.c_void_p(record)
        for i in range(lib.dtrace_record_actions(record)):
            for j in range(lib.dtrace_record_values(record, ctypes.c_size_t(i))):
                value = pointer(lib.dtrace_record_value, record, ctypes.c_size_t(i), ctypes.c_size_t(j))
                kind = lib.dtrace_value_kind(value)
                name, size = text(lib.dtrace_value_name(value)), lib.dtrace_value_size(value)
                if kind in (0, 1):
                    got[name] = kind, lib.dtrace_value_integer(value)
                elif kind in (3, 4):
                    got[name] = kind, ctypes.string_at(lib.dtrace_value_bytes(value), size)
                elif kind == 6:
                    member = pointer(lib.dtrace_value_member, value, ctypes.c_size_t(0))
                    got[name] = kind, size, text(lib.dtrace_value_name(member)), lib.dtrace_value_integer(member)

    record_fn = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(take)
    lib.dtrace_on_record(tracer, record_fn, None)
    want(lib.dtrace_set_option(tracer, b"wombats", None) == -1 and
         text(lib.dtrace_error(tracer)) == "Invalid option name", "an option that is none")
    lib.dtrace_add_program(tracer, b"struct pair { int a; int b; }; struct pair p; "
                                   b"BEGIN { p.a = 4; trace(-1); trace((uint64_t)-1); trace(\"\\303\\050\"); "
                                   b"print(p); exit(9); }")
    want(lib.dtrace_go(tracer) == 0, text(lib.dtrace_error(tracer)))
    want(lib.dtrace_add_program(tracer, b"END {}") == -1, "a program that comes too late")
    while lib.dtrace_poll(tracer, 100) > 0:
        pass
    want(lib.dtrace_stop(tracer) == 0 and lib.dtrace_exit_status(tracer) == 9, "the end")
    lib.dtrace_free(tracer)
    wanted = {"-1": (0, -1), "(uint64_t)-1": (1, -1), '"\\303\\050"': (3, b"\303("), "p": (6, 2, "a", 4), "9": (0, 9)}
    want(got == wanted, f"values: {got}")


def probes():
    """libdtrace-probes is installed, and its example runs; what it does is tested by usdt/tst.made*."""
    words = run(["pkg-config", "--cflags", "--libs", "dtrace-probes"], env=env)[1].split()
    (work / "probes.c").write_text('#include <dtrace/probes.h>\nint main(void) { dtrace_provider* p; '
                                   'return dtrace_provider_create("p", 0, &p) || dtrace_provider_free(p); }\n')
    program = compile_program("cc", work / "probes.c", words)
    want(run([program], env=env) == (0, "", ""), f"probes: {run([program], env=env)}")
    more = dict(env, DTRACE_PROBES_LIBRARY=str(packages[0].parent / "libdtrace-probes.so.0"))
    want(run([sys.executable, top / "examples/probes.py", 1], env=more) == (0, "", ""), "examples/probes.py")


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    status, _, err = run(["cmake", "--install", build], env=dict(os.environ, DESTDIR=directory))
    want(status == 0, err)
    packages = [path.parent for path in work.rglob("dtrace.pc")]
    want(len(packages) == 1, f"pkg-config files: {packages}")
    env = dict(os.environ, PKG_CONFIG_PATH=str(packages[0]))
    flags = run(["pkg-config", "--cflags", "--libs", "dtrace"], env=env)[1].split()
    library = packages[0].parent / "libdtrace.so"
    env["LD_LIBRARY_PATH"] = str(library.parent)
    env["LIBDTRACE"] = str(library)
    exports(library)
    for test in (document, syscall_top, firings, writes, ctypes_values, probes):
        test()
    # The command, too, is whole where it is installed.
    command = next(work.rglob("sbin/dtrace"))
    want(run([command, "-qn", "BEGIN { exit(4); }"])[0] == 4, "the installed command")

print("\n".join(problems))
sys.exit(1 if problems else 0)
