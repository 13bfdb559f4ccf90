#!/usr/bin/env python3
"""kill -9 at random and at aimed moments, over all kinds of probes: nothing of dtrace stays, and the code of the traced
program is what its file has, byte for byte.

  tests/kills.py [--count 2000] [--seed 1] [--only NAME]

$DTRACE is the command, $BUILD the build. A turn starts dtrace with the probes of one kind on a program that has copies
of its own of all that is traced (so that a breakpoint that stayed would slow nobody else), and kills it

  start     at a random moment of its first 0.3 s
  attach    when the first breakpoint is in the program's code, and a little later
  trace     when it has begun to trace
  detach    when it has been told to end, a little later
  remove    when the first breakpoint has gone

Kinds without breakpoints have `start`, `trace` and `detach` only. A turn kills the process alone, its process group,
or, while it traces, all that it has started as well, as the end of a container does. The exit status is 1 when
anything stayed.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
WORKLOADS = pathlib.Path(os.environ["BUILD"]) / "tests/workloads"
PATIENCE_S = 60

COUNT = " { @[probefunc] = count(); } BEGIN { printf(\"go\\n\"); }"
QUIET_PROBES = {
    "syscall": "syscall:::entry { self->t = timestamp; @[execname] = count(); } "
               "syscall:::return /self->t/ { @q = quantize(timestamp - self->t); self->t = 0; } ",
    "profile": "profile-97 { @s[stack()] = count(); @u[ustack()] = count(); } ",
    "sdt": "sched:::on-cpu, proc:::exec-success, io:::start, vminfo:::as_fault { @[probename] = count(); } ",
    "netfilter": "netfilter::ip:local-in, netfilter::ip6: { @[probename, args[1]->pf] = count(); } ",
    "counters": "lockstat:::, mib:::tcp*, sysinfo:::, cgroup:::, fsinfo::: { @[probeprov, probename] = count(); } ",
    "speculation": "syscall:::entry { self->s = speculation(); speculate(self->s); trace(pid); a[tid] = 1; } "
                   "syscall:::return /self->s/ { commit(self->s); self->s = 0; } ",
}


class Kind:
    """Probes of one kind: the words of the command, and the files whose code gets breakpoints. The command is dtrace, or
    the other name of it."""

    def __init__(self, name, words, program, files=(), moments=("start", "attach", "trace", "detach", "remove"),
                 command=(DTRACE, "-q")):
        self.name, self.words, self.program, self.files, self.moments = name, words, program, files, moments
        self.command = command


class Code:
    """The code of files in a process, against the files."""

    def __init__(self, files):
        self.files = {str(path): path.read_bytes() for path in files}

    def changed(self, pid, enough=1 << 30):
        """How many bytes differ, up to `enough`; None when a file is not mapped yet."""
        found, seen = 0, set()
        try:
            lines = open(f"/proc/{pid}/maps").read().splitlines()
            memory = open(f"/proc/{pid}/mem", "rb", buffering=0)
        except (FileNotFoundError, ProcessLookupError):
            return None
        with memory:
            for line in lines:
                fields = line.split()
                if len(fields) < 6 or fields[5] not in self.files or "x" not in fields[1]:
                    continue
                seen.add(fields[5])
                begin, end = (int(place, 16) for place in fields[0].split("-"))
                wanted = self.files[fields[5]][int(fields[2], 16):][:end - begin]
                try:
                    memory.seek(begin)
                    there = memory.read(len(wanted))
                except OSError:
                    return None
                if there != wanted:
                    found += sum(a != b for a, b in zip(there, wanted))
                if found >= enough:
                    return found
        return found if len(seen) == len(self.files) else None


def soon(condition, seconds=PATIENCE_S):
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


class Kills:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="kills"))
        self.failures, self.hits = [], {}
        self.programs = {}  # by kind: a process that is traced again and again
        self.library = self.copy(next(line.split()[5] for line in open("/proc/self/maps")
                                      if line.rstrip().endswith("libc.so.6")), "libc.so.6")
        self.kinds = self.all_kinds()

    def copy(self, source, name):
        shutil.copy(source, self.work / name)
        return self.work / name

    def all_kinds(self):
        calls = self.copy(WORKLOADS / "calls", "kill_calls")
        usdt = self.copy(WORKLOADS / "usdt", "kill_usdt")
        locks = self.copy(WORKLOADS / "pthreads", "kill_pthreads")
        sleeper = self.copy(shutil.which("sleep"), "kill_sleep")
        sleep, library = [sleeper, "1000000"], self.library
        on = ["-p", "PID", "-n"]
        kinds = [
            Kind("entry", [*on, "pid$target:libc::entry" + COUNT], sleep, [library]),
            Kind("return", [*on, "pid$target:libc::return" + COUNT], sleep, [library]),
            Kind("both", [*on, "pid$target:libc::entry, pid$target:libc::return" + COUNT], sleep, [library]),
            Kind("offsets", [*on, "pid$target:kill_calls:main:, pid$target:kill_calls:fib:" + COUNT], [calls, "1"],
                 [calls, library]),
            Kind("pid*", ["-n", "pid*:kill_calls::entry, pid*:kill_calls::return" + COUNT], [calls, "1"], [calls]),
            Kind("later", ["-Z", "-n", "pid*:kill_calls::entry" + COUNT], [calls, "1"], [calls]),
            Kind("usdt", [*on, "demo$target:::, demo2$target:::" + COUNT], [usdt, "1"], [usdt]),
            Kind("usdt*", ["-n", "demo*:kill_usdt::" + COUNT], [usdt, "1"], [usdt]),
            Kind("plockstat", [*on, "plockstat$target:::" + COUNT], sleep, [library]),
            Kind("pthread", [*on, "pthread$target:::" + COUNT], sleep, [library]),
            Kind("stacks", [*on, "pid$target:libc:m*:entry, profile-97 { @[ustack()] = count(); } BEGIN { printf(\"go\\n\"); }"],
                 sleep, [library]),
            Kind("command", ["-c", f"{sleeper} 1000000", "-n", "pid$target:libc::entry" + COUNT], None, [library]),
            Kind("follow", ["-x", "follow", "-c", f"{locks} wait", "-n", "pid$target:libc::entry" + COUNT], None, [library]),
        ]
        for name, probes in QUIET_PROBES.items():
            kinds.append(Kind(name, ["-n", probes + "BEGIN { printf(\"go\\n\"); }"], None, [],
                              ("start", "trace", "detach")))
        stap = [pathlib.Path(DTRACE).with_name("stap")]
        begun = ' probe begin { println("go") }'
        count = " { n[pp()]++ }" + begun
        kinds += [
            Kind("stap", ["-x", "PID", "-e", f'global n probe process("{calls}").function("*"), '
                          f'process("{calls}").function("*").return{count}'], [calls, "1"], [calls], command=stap),
            Kind("stap marks", ["-e", f'global n probe process("{usdt}").mark("*"){count}'], [usdt, "1"], [usdt],
                 command=stap),
            Kind("stap calls", ["-e", 'global n, v probe syscall.*, timer.ms(1), timer.profile, procfs("n").read { n[pp()]++ }'
                                + begun], None, moments=("start", "trace", "detach"), command=stap),
            Kind("record", ["-x", f"record={self.work}/kill.dtr", "-x", f"listen={self.work}/kill.sock", "-n",
                            QUIET_PROBES["syscall"] + 'BEGIN { printf("go\\n"); }'], None,
                 moments=("start", "trace", "detach")),
        ]
        return kinds

    def end(self):
        for process in self.programs.values():
            process.kill()
            process.wait()
        shutil.rmtree(self.work)

    def environment(self):
        return dict(os.environ, LD_LIBRARY_PATH=str(self.work))

    def program_of(self, kind, code):
        if kind.program is None:
            return None
        process = self.programs.get(kind.name)
        if process is None or process.poll() is not None:
            process = subprocess.Popen([str(word) for word in kind.program], env=self.environment(),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            self.programs[kind.name] = process
            if not soon(lambda: code.changed(process.pid) == 0):
                sys.exit(f"{kind.name}: the program has not mapped its files")
        return process

    def turn(self, number, kind, moment):
        code = Code(kind.files)
        program = self.program_of(kind, code)
        words = [word.replace("PID", str(program.pid)) if word == "PID" else word for word in kind.words]
        tracer = subprocess.Popen([*kind.command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=self.environment() if program is None else None,
                                  start_new_session=True)
        hit = self.wait_for(moment, kind, code, program, tracer)
        # Who sets or removes a breakpoint is not to be killed meanwhile: the kernel leaves what there is then.
        way = self.random.choice(["alone", "group", "all"] if moment == "trace" else ["alone", "group"])
        if way == "group":
            os.killpg(tracer.pid, signal.SIGKILL)
        else:
            for child in children_of(tracer.pid) if way == "all" else []:
                signal_if_there(child)
            tracer.kill()
        tracer.wait()
        said = tracer.stderr.read().decode(errors="replace")
        tracer.stdout.close()
        tracer.stderr.close()
        self.hits[kind.name, moment] = self.hits.get((kind.name, moment), 0) + hit
        if said.startswith("dtrace: failed") or "invalid probe" in said or "error:" in said:
            self.fail(number, kind, moment, said)
        if program is not None and not soon(lambda: code.changed(program.pid) == 0):
            self.fail(number, kind, moment, f"{code.changed(program.pid)} bytes of code are not what they were")
            program.kill()
            program.wait()
        elif program is not None and program.poll() is not None:
            self.fail(number, kind, moment, f"the traced program has ended with {program.returncode}")

    def wait_for(self, moment, kind, code, program, tracer):
        """Whether the moment has been hit, and was not only let pass."""
        little = self.random.uniform(0, 0.03)
        if moment == "start":
            time.sleep(self.random.uniform(0, 0.3))
            return True
        if moment == "attach":
            pid = program.pid if program is not None else None
            until = time.monotonic() + PATIENCE_S
            while tracer.poll() is None and time.monotonic() < until:
                if pid is None:
                    pid = child_of(tracer.pid)
                elif code.changed(pid, 1):
                    time.sleep(self.random.choice([0, 0, little]))
                    return True
            return False
        if not tracer.stdout.readline():
            return False
        if moment == "trace":
            time.sleep(little)
            return True
        pid = program.pid if program is not None else child_of(tracer.pid)
        before = code.changed(pid) if pid and kind.files else None
        tracer.send_signal(signal.SIGINT)
        if moment == "detach" or not before:
            time.sleep(self.random.uniform(0, 0.06))
            return True
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            now = code.changed(pid)
            if now is None or now < before:
                return now is not None
        return False

    def fail(self, number, kind, moment, text):
        self.failures.append(f"turn {number}, {kind.name}, {moment}: {text}")
        print(self.failures[-1], flush=True)

    def run(self, count, only=None):
        kinds = [kind for kind in self.kinds if only in (None, kind.name)]
        pairs = [(kind, moment) for kind in kinds for moment in kind.moments]
        for number in range(count):
            if number % len(pairs) == 0:
                self.random.shuffle(pairs)
            if number % 100 == 0 and number > 0:
                print(f"{number} of {count}", file=sys.stderr, flush=True)
            self.turn(number, *pairs[number % len(pairs)])


def children_of(pid):
    try:
        return [int(child) for child in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def signal_if_there(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def child_of(pid):
    """The command of -c."""
    for child in children_of(pid):
        try:
            if not open(f"/proc/{child}/comm").read().startswith("dtrace"):
                return child
        except (FileNotFoundError, ProcessLookupError):
            continue
    return None


def left():
    """What stays in the kernel, as text; "" when it is nothing, which may take a while."""
    objects = []

    def is_clean():
        out = subprocess.run([WORKLOADS / "bpf_objects"], capture_output=True, text=True, check=True).stdout
        objects[:] = [out]
        return out.startswith("0 programs, 0 maps, 0 links")

    clean = soon(is_clean)
    events = pathlib.Path("/sys/kernel/tracing/uprobe_events")
    definitions = [line for line in (events.read_text() if events.exists() else "").splitlines() if "dtrace" in line]
    return ("" if clean else objects[0]) + "\n".join(definitions)


def campaign(count, seed, only=None):
    kills = Kills(seed)
    try:
        kills.run(count, only)
    finally:
        kills.end()
    if remains := left():
        kills.failures.append(f"left in the kernel: {remains}")
        print(kills.failures[-1])
    return kills


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    args = parser.parse_args()
    kills = campaign(args.count, args.seed, args.only)
    for (kind, moment), hits in sorted(kills.hits.items()):
        print(f"{kind:<12} {moment:<7} {hits}")
    print(f"{args.count} times kill -9: {len(kills.failures)} failures")
    sys.exit(1 if kills.failures else 0)


if __name__ == "__main__":
    main()
