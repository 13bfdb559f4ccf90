"""Stacks of one program, each recorded by ustack() and read by libdw of the process that has been stopped there.

A clause records ustack() and the registers and stops its process. Where the registers of the stopped thread are those
of the record, libdw looks at the same state as ustack() did: at system calls, and at samples of the profile in a
process of one thread. From a breakpoint (pid) the thread goes on by one instruction before it stops; libdw is then
given the registers of the record. A thread that has come further, as another one has taken the signal, is not compared.
"""
import functools
import json
import os
import random
import re
import select
import shlex
import signal
import subprocess
import tempfile
import time

DTRACE = os.environ["DTRACE"]
GRACE_S = 60  # for dtrace to end
STOP_S = 10  # for a process to stop
# At least; more where dtrace takes longer to start than that, as the machine is slow or busy.
IDLE_S = 1  # without a sample there are no more
LATE_S = 0.6  # a record that has not come by then was dropped
ROWS = 600  # of each file
WARM_S = float(os.environ.get("DT_WARM", "0.3"))
FRAMES = 127  # as many as ustack() can have
# In DWARF's order, as libdw_stacks wants them.
REGISTERS = [f"R_R{name}" for name in "AX DX CX BX SI DI BP SP 8 9 10 11 12 13 14 15 IP".split()]
INSTRUCTION_BYTES = 15  # at most
RECORD = (f"busy = 1; ustack({FRAMES}); printf(\"%d %d %d{' %x' * len(REGISTERS)}\", went_on, pid, tid, "
          + ", ".join(f"uregs[{name}]" for name in REGISTERS) + "); stop();")
# Behind these there are other registers, another stack, or no process.
GONE = ("exit", "exit_group", "execve", "rt_sigreturn")


class Libdw:
    """libdw_stacks (tests/stacks/libdw_stacks.cc), which says what it answers."""

    def __init__(self, path):
        self.server = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, line):
        self.server.stdin.write(line + "\n")
        return self.server.stdout.readline().split()

    def end(self):
        self.server.stdin.close()
        self.server.wait(timeout=GRACE_S)


class Sample:
    """kind: of TOGETHER. state: exact, next (one instruction later), moved or missed. went_on: how often we have let
    the process go on before; if it is more often by now it has not stood still since the record."""

    def __init__(self, record):
        actions = record["actions"]
        probe = record["probe"]
        self.probe = ":".join(probe[part] for part in ("provider", "module", "function", "name"))
        self.kind = probe["provider"] if probe["provider"] in ("profile", "syscall") \
            else "entry" if probe["name"] == "entry" else "row" if probe["function"] == "-" else "step"
        self.ours = actions[0]["values"][0]["value"]
        words = actions[1]["text"].split()
        self.went_on, self.pid, self.tid, self.registers = int(words[0]), int(words[1]), int(words[2]), words[3:]
        self.state, self.theirs, self.failed = "missed", [], False

    @property
    def addresses(self):
        return [int(frame["address"], 16) for frame in self.ours]

    @property
    def is_compared(self):
        return self.state in ("exact", "next")

    @property
    def wanted(self):
        """As far as ustack() goes. libdw may end with a return address of 0, which is no frame."""
        frames = [int(frame.rstrip("s?"), 16) for frame in self.theirs]
        while frames and frames[-1] == 0:
            frames.pop()
        return frames[:FRAMES]

    @property
    def is_identical(self):
        return self.addresses == self.wanted

    @property
    def is_cut(self):
        """What there is is right, and the outer frames are missing, as before dtrace has read the files."""
        return self.addresses == self.wanted[:len(self.ours)] and len(self.ours) < len(self.wanted)

    @property
    def is_described(self):
        """There is an .eh_frame for all of it."""
        return not any("?" in frame for frame in self.theirs)

    def is_in(self, name):
        """Whether its innermost frame is in a module with such a name."""
        return bool(self.ours) and name in self.ours[0].get("module", "")

    def is_next(self, pc, sp):
        """Whether a thread that is at pc and sp can have carried out just one instruction since the record."""
        from_pc, from_sp = int(self.registers[16], 16), int(self.registers[7], 16)
        if threads(self.pid) == 1:
            return True  # no other thread can have taken the signal
        return 0 < pc - from_pc <= INSTRUCTION_BYTES and abs(sp - from_sp) < 1 << 16

    def look(self, libdw):
        if not wait_until_stopped(self.pid, self.tid):
            return
        answer = libdw.ask(f"{self.pid} {self.tid} {' '.join(self.registers)}")
        if answer[0] == "error":
            self.failed = " ".join(answer)
            return
        how, pc, sp, end = answer[:4]
        self.theirs, self.failed = answer[4:], end == "failed"
        if how == "exact":
            self.state = "exact"
        elif self.kind in BREAKPOINTS and self.is_next(int(pc, 16), int(sp, 16)):
            self.state = "next"
        else:
            self.state = "moved"

    def __str__(self):
        names = [frame["address"] + " " + (f"{frame.get('module', '')}`{frame['symbol']}+0x{frame['offset']:x}"
                                           if "symbol" in frame else frame.get("module", "")) for frame in self.ours]
        theirs = [f"0x{frame}" for frame in self.theirs]
        lines = [f"  {self.probe} pid {self.pid} tid {self.tid}, {self.state}: libdw (? no .eh_frame, s signal)"
                 f"{', which failed at its last' if self.failed else ''} | ustack()"]
        for i in range(max(len(names), len(theirs))):
            left, right = theirs[i] if i < len(theirs) else "-", names[i] if i < len(names) else "-"
            sign = " " if left.rstrip("s?") == right.split(" ")[0] else "!"
            lines.append(f"  {sign} {left:20} {right}")
        lines.append("    registers " + " ".join(self.registers))
        return "\n".join(lines)


def threads(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def signal_to(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it has ended by itself


def wait_until_stopped(pid, tid):
    until = time.monotonic() + STOP_S
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/task/{tid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "T":
                    return True
        except OSError:
            return False
        time.sleep(0.0002)  # not to keep from a CPU what is to stop
    return False


@functools.cache
def rows_of(path):
    """Addresses where .eh_frame has a rule of its own, which are those of instructions: ROWS of them, at random."""
    text = subprocess.run(["readelf", "-wF", path], capture_output=True, text=True, timeout=60).stdout
    found = sorted({int(row, 16) for row in re.findall(r"^([0-9a-f]{16}) ", text, re.M)} - {0})
    return random.Random(1).sample(found, min(ROWS, len(found)))


def row_probes(program, pid):
    """Descriptions of probes at rows of the files that are said to have some; None while they are not mapped."""
    addresses = {}
    with open(f"/proc/{pid}/maps") as file:
        mapped = [line.split() for line in file]
    for name in program.rows:
        found = [words for words in mapped if len(words) == 6 and words[2] == "00000000"
                 and os.path.basename(words[5]).startswith(name)]
        if not found:
            return None
        path = found[0][5]
        with open(path, "rb") as file:
            bias = int(found[0][0].split("-")[0], 16) if file.read(17)[16] == 3 else 0  # ET_DYN
        addresses |= {row + bias: f"pid$target:{os.path.basename(path)}:-:{row + bias:x}" for row in rows_of(path)}
    # On some instructions there may be no breakpoint, which dtrace says of each.
    tried = subprocess.run([DTRACE, "-eqp", str(pid), "-s", "/dev/stdin"], input=", ".join(addresses.values()),
                           capture_output=True, text=True, timeout=GRACE_S)
    for refused in re.findall(r"address 0x(\w+) of process", tried.stderr):
        addresses.pop(int(refused, 16), None)
    return ", ".join(addresses.values())


# Kinds of samples that are taken together, the first of them at most half of all. Where breakpoints are, a sample of
# the profile is often of an instruction that the kernel has copied elsewhere to carry it out.
TOGETHER = (("row",), ("entry", "step"), ("syscall", "profile"))
BREAKPOINTS = ("entry", "step", "row")


def clauses(program, kinds, count, rows):
    """While the process stands, others of its threads record nothing: not before we let it go on, by kill()."""
    steps = ", ".join(f"pid$target:{name}:" for name in program.steps)
    entries = ", ".join(f"pid$target:{name}:entry" for name in program.entries)
    alive = " && ".join(f'probefunc != "{name}"' for name in GONE)
    each = f"took[uregs[R_PC]]++ < {2 + count // 50}"  # of one address
    # The probes; where they count; and where one is recorded that nothing else speaks against.
    places = {"syscall": ("syscall:::entry", f"pid == $target && {alive}", "seen_syscall++ % 3 == 0"),
              "profile": ("profile-997", "pid == $target", "1"),
              "entry": (entries, "1", "seen_entry++ % 53 == 0"),
              "step": (steps, "1", f"seen_step++ % 11 == 0 && {each}"),
              "row": (rows, "1", f"seen_row++ % 5 == 0 && {each}")}
    # Where stop() fails, as it may in an interrupt, there is no record.
    text = "int busy, went_on; BEGIN { printf(\"live\\n\"); } ERROR { busy = 0; }\n"
    text += f"syscall::kill:entry /pid == {os.getpid()} && arg0 == $target/ {{ ++went_on; busy = 0; }}\n"
    for kind, most in zip(reversed(kinds), (count, max(count // 2, 1))):
        probes, where, when = places[kind]
        text += (f"int seen_{kind}, done_{kind};\n"
                 f"{probes} /{where} && !busy && done_{kind} < {most} && {when}/ {{ ++done_{kind}; {RECORD} }}\n")
    return text


def lines_of(descriptor, until):
    """Lines as they come; None where none has come for a while."""
    rest = b""
    while time.monotonic() < until:
        if not select.select([descriptor], [], [], 0.2)[0]:
            yield None
            continue
        read = os.read(descriptor, 1 << 20)
        if not read:
            return
        *lines, rest = (rest + read).split(b"\n")
        yield from lines


def start(program, kinds, until):
    """(the process, descriptions of its rows), stopped until there are probes; or None where dtrace is to start it."""
    if not program.attach and "row" not in kinds and not WARM_S:
        return None, None
    with open(program.stdin or "/dev/null") as stdin:
        process = subprocess.Popen(program.command, user=program.user, group=program.user, cwd="/", stdin=stdin,
                                   env=program.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(max(program.warm_s, WARM_S))  # wherever it is then
        rows = None
        while "row" in kinds and (rows := row_probes(program, process.pid)) is None and time.monotonic() < until:
            time.sleep(0.02)
        signal_to(process.pid, signal.SIGSTOP)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return process, rows


def take(descriptor, tracer, pid, count, libdw, until):
    """(samples, whether there are no more to be had): what a tracer writes, until it has ended. The process, whose pid
    may become known by the first sample, goes on after each, and is killed when there are enough."""
    samples, is_live, is_idle, went_on = [], False, False, 0
    begun = last = time.monotonic()
    idle, late = IDLE_S, LATE_S
    for line in lines_of(descriptor, until + GRACE_S):
        if line is not None and not is_live:
            is_live, started = True, time.monotonic() - begun
            idle, late = max(IDLE_S, started), max(LATE_S, started)
        record = json.loads(line) if line else {"type": "nothing"}
        is_idle = is_live and time.monotonic() - last > idle
        is_over = len(samples) >= count or is_idle or time.monotonic() > until
        if record["type"] == "record" and record["probe"]["provider"] != "dtrace" and not is_over:
            sample = Sample(record)
            pid = sample.pid
            if sample.went_on == went_on:
                sample.look(libdw)
            samples.append(sample)
        if is_over and pid is None:
            tracer.send_signal(signal.SIGINT)
        elif is_over:
            signal_to(pid, signal.SIGKILL)
        elif pid is not None and is_live and (line or time.monotonic() - last > late):
            signal_to(pid, signal.SIGCONT)
            went_on += 1
        if line or not is_live:
            last = time.monotonic()
    return samples, is_idle


def one_run(program, kinds, count, libdw, until):
    """Samples of one run of the program, which may end before there are as many; what dtrace complained of; and
    whether there are no more to be had."""
    process, rows = start(program, kinds, until)
    pid = process.pid if process else None
    target = ["-p", str(pid)] if process else ["-c", shlex.join(program.command)]
    ours, theirs = os.pipe()
    tracer = None
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".d") as script, open(program.stdin or "/dev/null") as stdin:
            script.write(clauses(program, kinds, count, rows))
            script.flush()
            tracer = subprocess.Popen([DTRACE, "-qwBZ", "-x", "oformat=jsonl", "-o", f"/dev/fd/{theirs}", *target,
                                       "-s", script.name], pass_fds=[theirs], stdin=stdin, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True, env=program.environment)
            os.close(theirs)
            samples, is_idle = take(ours, tracer, pid, count, libdw, until)
            return samples, tracer.communicate(timeout=GRACE_S)[1], is_idle
    finally:
        os.close(ours)
        for left in (process, tracer):
            if left:
                left.kill()
                left.wait(timeout=GRACE_S)


def samples_of(program, kinds, count, libdw, seconds):
    """The program is run again while there are too few, within the time."""
    until = time.monotonic() + seconds
    samples, errors, is_idle = [], "", False
    while len(samples) < count and time.monotonic() < until and not is_idle:
        more, err, is_idle = one_run(program, kinds, count - len(samples), libdw, until)
        samples += more
        errors += err
        is_idle = is_idle or not more
    return samples, errors
