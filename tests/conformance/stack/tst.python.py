# @@timeout: 120
# jstack() shows the functions of CPython 3.11 with their files and lines, frame by frame as the program itself sees
# them at the same moment: callbacks from C, generators, coroutines, threads that do not hold the interpreter's lock,
# signals, other interpreters, code that is freed and made anew at the same place, and in processes that have ended.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from cpython import PYTHON  # noqa: E402

DTRACE = os.environ["DTRACE"]

# Every probed call is on one line with what says where it is.
PROGRAM = r'''
import _xxsubinterpreters, asyncio, ctypes, functools, gc, json, os, signal, sys, threading
fd = os.open("/dev/null", os.O_RDONLY)
os.dup2(fd, 77)
os.dup2(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 78)

def tell(what):
    frame, frames = sys._getframe(1), []
    while frame:
        frames.append([frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno])
        frame = frame.f_back
    os.write(78, (json.dumps([what, frames]) + "\n").encode())

def mark(what):
    tell(what), os.getppid()

def mark_unlocked(what):
    tell(what), os.read(77, 1)

def nested(n, what, then=mark):
    if n == 0:
        return then(what)
    return nested(n - 1, what,
                  then)

class Shape:
    class Inner:
        def method(self, what):
            return [nested(x, what) for x in (1,)]

    def __del__(self):
        mark("del")

    @property
    def size(self):
        return max(
            [1],
            key=lambda x: mark("lambda"))

def generate():
    yield mark("generator")
    yield from (mark("inner generator") for _ in range(1))

async def wait(n):
    if n:
        return await wait(n - 1)
    mark("coroutine")

def decorated(f):
    @functools.wraps(f)
    def around(*arguments):
        return f(*arguments)
    return around

@decorated
def under(what):
    mark(what)

def données_π(what):
    mark(what)

def name_of_many_characters_''' + 120 * "x" + r'''(what):
    mark(what)

def main():
    nested(3, "nested")
    nested(40, "deep")
    nested(3, "unlocked", mark_unlocked)
    Shape.Inner().method("method")
    Shape().size
    del_me = Shape()
    del del_me
    sorted([3, 1, 2], key=lambda x: (mark("sorted"), x)[1])
    list(map(mark, ["map"]))
    list(generate())
    asyncio.run(wait(3))
    under("decorated")
    données_π("unicode")
    globals()["name_of_many_characters_" + 120 * "x"]("long")
    ctypes.CFUNCTYPE(None)(lambda: mark("ctypes"))()
    functools.partial(nested, 2)("partial")
    signal.signal(signal.SIGUSR1, lambda *_: mark("signal"))
    signal.raise_signal(signal.SIGUSR1)
    (
        mark("several lines")
        if
        True
        else None
    )
    class Body:
        mark("class body")
    for n in range(3):
        thread = threading.Thread(target=nested, args=(n, f"thread {n}", [mark, mark_unlocked][n % 2]))
        thread.start()
        thread.join()
    for n in range(40):  # at the same place in memory, as all of them take as much
        code = compile(f"def {chr(97 + n % 26)}():\n" + n * "\n" + "  mark('again')\n" + f"{chr(97 + n % 26)}()", f"file{n:02}", "exec")
        exec(code, {"mark": mark})
        del code
    exec(compile("\n".join(f"x{n} = {n}" for n in range(900)) + "\nmark('large')", "large", "exec"))
    exec(compile("mark('long file')", "/" + 300 * "d" + "/end", "exec"))
    exec(compile("mark('wide file')", "/tmp/\u6587\u4ef6/\U0001f40d.py", "exec"))
    interpreters()

def interpreters():
    number = _xxsubinterpreters.create()
    _xxsubinterpreters.run_string(number, """if True:
        import os, sys, json
        def tell():
            frame, frames = sys._getframe(1), []
            while frame:
                frames.append([frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno])
                frame = frame.f_back
            os.write(78, (json.dumps(["interpreter", frames]) + "\\n").encode())
        def other():
            tell(), os.getppid()
        sorted([1], key=lambda _: other())
        """)
    tell("of main"), os.getppid()

ctypes.CFUNCTYPE(None)(lambda: None)()  # so that all libraries are there
print("ready", flush=True)
if sys.stdin.read(1):
    main()
os._exit(0)
'''
CLAUSE = "{ printf(\"stack\"); jstack(); printf(\"end\\n\"); }"
SCRIPT = f"syscall::getppid:entry /pid == $target/ {CLAUSE} syscall::read:entry /pid == $target && arg0 == 77/ {CLAUSE}"
work = tempfile.mkdtemp()
path, said = f"{work}/prögram.py", f"{work}/said"
with open(path, "w", encoding="utf-8") as file:
    file.write(PROGRAM)


def python_frames(stack):
    return [[name, file, int(line)] for name, file, line in re.findall(r"^ +(\S+|<[^>]+>) \((.*):(\d+)\)$", stack, re.M)]


def cut(frames):
    return [[name if len(name.encode()) <= 112 else name[:112] + "...", file if len(file) <= 256 else "..." + file[-256:], line]
            for name, file, line in frames]


def check(condition, *shown):
    if not condition:
        shutil.rmtree(work)
        sys.exit("\n".join(map(str, shown)))


def trace(script, *options):
    """What dtrace prints of one run of the program."""
    program = subprocess.Popen([PYTHON, path, said], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check(program.stdout.readline() == "ready\n", "the program did not begin")
    tracer = subprocess.Popen([DTRACE, "-q", *options, "-n", script, "-p", str(program.pid), "-n", 'BEGIN { printf("live\\n"); }'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    began = tracer.stdout.readline()
    program.communicate("go", timeout=30)
    out, err = tracer.communicate(timeout=60)
    check(began == "live\n" and tracer.returncode == 0 and err == "", tracer.returncode, began, out, err)
    return out


out = trace(SCRIPT, "-x", "jstackframes=127")
with open(said, encoding="utf-8") as file:
    truth = [json.loads(line) for line in file]
stacks = re.findall(r"^stack\n(.*?)^end$", out, re.M | re.S)
check(len(truth) == len(stacks) and len(truth) > 60, len(truth), len(stacks), out[-3000:])
seen = set()
for (what, frames), stack in zip(truth, stacks):
    got, wanted = python_frames(stack), cut(frames)
    if what == "interpreter":  # and behind its own functions those of the one that has started it
        check(got[:len(wanted)] == wanted and [f[0] for f in got[len(wanted):]] == ["interpreters", "main", "<module>"], what,
              wanted, got, stack)
    else:
        check(got == wanted, what, f"wanted {wanted}", f"got    {got}", stack)
    check("[...]" not in stack, what, stack)
    seen.add(what)
check(len(seen) > 25, seen)

# In the place of the interpreter's frames, and those of other C code between.
nested = next(stack for (what, _), stack in zip(truth, stacks) if what == "nested")
check("_PyEval_EvalFrameDefault" not in nested and "Py_BytesMain" in nested, nested)
callback = next(stack for (what, _), stack in zip(truth, stacks) if what == "sorted")
lines = [line.strip() for line in callback.splitlines()]
below = lines.index(next(line for line in lines if line.startswith("main.<locals>.<lambda>")))
check(all("python3.11`" in line for line in lines[below + 1:lines.index(next(line for line in lines if line.startswith("main (")))]),
      callback)

# ustack() has addresses only, and jstack(n, 0) is the same.
for action in "ustack()", "jstack(50, 0)":
    out = trace(f"syscall::getppid:entry /pid == $target/ {{ {action}; exit(0); }}")
    check("_PyEval_EvalFrameDefault" in out and not python_frames(out), action, out)
out = trace("syscall::getppid:entry /pid == $target/ { ustack(20, 512); exit(0); }")
check(python_frames(out)[:2] == cut(truth[0][1])[:2], out)
shutil.rmtree(work)
