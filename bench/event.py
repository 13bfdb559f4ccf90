"""What one traced call costs more than an untraced one, by job, beside hand-written BPF C (bench/hand) and bpftrace:
in ns on this machine, or in instructions in a guest.
"""
import fnmatch
import pathlib
import signal
import subprocess
import tempfile
import time

from common import ROUNDS, heading, in_guest, start, stop, wait_ready

# name, hand-written object, where, D, bpftrace. {f} is getppid or, where the
# job makes sense for every system call, nothing.
ONE, BOTH = (1,), (1, 0)
JOBS = [
    ("@ = count()", "count", BOTH,
     "syscall::{f}:entry {{ @ = count(); }}",
     "{bt_enter} {{ @ = count(); }}"),
    ("@[execname] = count()", "execname", BOTH,
     "syscall::{f}:entry {{ @[execname] = count(); }}",
     "{bt_enter} {{ @[comm] = count(); }}"),
    ("@[pid, execname] = sum(1)", "pid_execname", BOTH,
     "syscall::{f}:entry {{ @[pid, execname] = sum(1); }}",
     "{bt_enter} {{ @[pid, comm] = sum(1); }}"),
    ("@ = quantize(arg0)", "quantize", BOTH,
     "syscall::{f}:entry {{ @ = quantize(arg0); }}",
     "{bt_enter} {{ @ = hist({bt_arg0}); }}"),
    ("self->ts, quantize", "latency", BOTH,
     "syscall::{f}:entry {{ self->ts = timestamp; }} syscall::{f}:return /self->ts/ "
     "{{ @ = quantize(timestamp - self->ts); self->ts = 0; }}",
     "{bt_enter} {{ @ts[tid] = nsecs; }} {bt_exit} /@ts[tid]/ {{ @ = hist(nsecs - @ts[tid]); delete(@ts[tid]); }}"),
    ("trace(pid)", "trace_pid", BOTH,
     "syscall::{f}:entry {{ trace(pid); }}",
     "{bt_enter} {{ printf(\"%d\\n\", pid); }}"),
    ("@[stack()] = count()", "stack", BOTH,
     "syscall::{f}:entry {{ @[stack()] = count(); }}",
     "{bt_enter} {{ @[kstack] = count(); }}"),
    ("@[ustack()] = count()", "ustack", BOTH,
     "syscall::{f}:entry {{ @[ustack()] = count(); }}",
     "{bt_enter} {{ @[ustack] = count(); }}"),
    ("structs: members of curthread", "structs", BOTH,
     "syscall::{f}:entry {{ @ = sum(curthread->real_parent->tgid + curthread->mm->map_count + "
     "curthread->in_execve + curthread->signal->pids[1]->numbers[0].nr + "
     "curthread->files->fdt->max_fds); }}", None),
    ("strings: strlen()", "strlen", ONE,
     "syscall::{f}:entry {{ @ = sum(strlen(copyinstr(arg0))); }}", None),
    ("strings: ==", "strcmp", ONE,
     "syscall::{f}:entry /copyinstr(arg0) == \"/usr/share/dict/words\"/ {{ @ = count(); }}", None),
    ("strings: strstr()", "strstr", ONE,
     "syscall::{f}:entry /strstr(copyinstr(arg0), \"words\") != NULL/ {{ @ = count(); }}", None),
    ("strings: strjoin(basename())", "strjoin", ONE,
     "syscall::{f}:entry {{ @[strjoin(\"file \", basename(copyinstr(arg0)))] = count(); }}", None),
    ("translator: ours and a script's", "translator", BOTH,
     "struct space {{ int maps; }}; translator struct space < struct task_struct *T > "
     "{{ maps = T->mm->map_count; }}; "
     "syscall::{f}:entry {{ @[curpsinfo->pr_fname] = sum(curpsinfo->pr_pid + curpsinfo->pr_ppid + "
     "xlate <struct space> (curthread).maps); }}", None),
    ("translator: pr_psargs", "psargs", BOTH,
     "syscall::{f}:entry {{ @[curpsinfo->pr_psargs] = count(); }}", None),
]


def write_script(path, d):
    path.write_text("#pragma D option quiet\nBEGIN { printf(\"ready\\n\"); }\n" + d + "\n")


def chosen(tools):
    """(name, object, D, bpftrace, is for getppid only) of every row."""
    for name, obj, where, d, bt in JOBS:
        for one in where if fnmatch.fnmatch(name, tools.jobs) else ():
            places = {"f": "getppid" if one else "",
                      "bt_enter": "tracepoint:syscalls:sys_enter_getppid" if one else "tracepoint:raw_syscalls:sys_enter",
                      "bt_exit": "tracepoint:syscalls:sys_exit_getppid" if one else "tracepoint:raw_syscalls:sys_exit",
                      "bt_arg0": "args->__syscall_nr" if one else "args->args[0]"}
            yield name, tools.objects / f"{obj}_{one}.bpf.o", d.format(**places), bt and bt.format(**places), one


def measure(tools, argv, baseline, sig):
    process = start(argv)
    try:
        wait_ready(process)
        return tools.call_ns() - baseline
    finally:
        stop(process, sig)


def measure_hand(tools, obj, to_file, baseline):
    with tempfile.NamedTemporaryFile() as out:
        return measure(tools, [tools.load, str(obj), *([out.name] if to_file else [])], baseline, None)


def measure_file(tools, script, baseline):
    """As measure(), with the output in a file."""
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen([tools.dtrace, "-s", script, "-o", out.name], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            until = time.perf_counter() + 20
            while b"ready" not in pathlib.Path(out.name).read_bytes()[:100]:
                if time.perf_counter() > until:
                    raise RuntimeError("dtrace -o never became ready")
                time.sleep(0.01)
            return tools.call_ns() - baseline
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def measure_dtrace(tools, script, to_file, baseline):
    if to_file:  # the records go to a file; only "ready" is ours to see
        return measure_file(tools, script, baseline)
    return measure(tools, [tools.dtrace, "-s", script], baseline, signal.SIGINT)


def measure_bpftrace(tools, script, baseline):
    """As measure(); bpftrace flushes -o only at its end, so it writes to our file."""
    with tempfile.NamedTemporaryFile() as out:
        process = subprocess.Popen([tools.bpftrace, "-B", "line", "-e", "BEGIN { printf(\"ready\\n\"); } " + script],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        until = time.perf_counter() + 20
        try:
            while b"ready" not in pathlib.Path(out.name).read_bytes()[:100]:
                if process.poll() is not None or time.perf_counter() > until:
                    return float("nan")
                time.sleep(0.02)
            time.sleep(1)
            return tools.call_ns() - baseline
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(90)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def best_of_rounds(tools, **measures):
    """Untraced, and what each of the functions says of such a baseline: the least of all rounds."""
    base, rows = [], {name: [] for name in measures}
    for _ in range(ROUNDS):
        base.append(tools.call_ns())
        for name, one in measures.items():
            rows[name].append(one(base[-1]))
    return min(base), *(min(row) for row in rows.values())


def bench(tools):
    heading("ns that one traced getppid() costs more (best of rounds)")
    print(f"{'job':<32}{'probe':<10}{'untraced':>9}{'hand C':>9}{'dtrace':>9}{'bpftrace':>10}{'dtrace/C':>10}{'dtrace/bt':>10}")
    for name, obj, d, bt, one in chosen(tools):
        with tempfile.NamedTemporaryFile("w", suffix=".d") as script:
            write_script(pathlib.Path(script.name), d)
            base, hand, ours = best_of_rounds(
                tools, hand=lambda baseline: measure_hand(tools, obj, "trace(" in d, baseline),
                dtrace=lambda baseline: measure_dtrace(tools, script.name, "trace(" in d, baseline))
            # Detaching is slow, so once; the pipe is read by a thread for printf.
            peer = measure_bpftrace(tools, bt, base) if tools.bpftrace and bt else float("nan")
        print(f"{name:<32}{'one call' if one else 'all calls':<10}{base:>9.1f}{hand:>9.1f}{ours:>9.1f}{peer:>10.1f}"
              f"{ours / hand:>10.2f}{ours / peer:>10.2f}", flush=True)


def bench_instructions(tools):
    """As event, in instructions, in a guest."""
    heading("instructions that one traced getppid() executes more, in a guest")
    in_guest(tools, "event-guest", "6.1")


def bench_in_guest(tools):
    """What bench_instructions() runs there."""
    print(f"{'job':<32}{'probe':<10}{'untraced':>9}{'hand C':>9}{'dtrace':>9}{'dtrace/C':>10}")
    for name, obj, d, _, one in chosen(tools):
        with tempfile.NamedTemporaryFile("w", suffix=".d") as script:
            write_script(pathlib.Path(script.name), d)
            baseline = min(tools.call_ns() for _ in range(2))
            hand = measure(tools, [tools.load, str(obj)], baseline, None)
            ours = measure_dtrace(tools, script.name, "trace(" in d, baseline)
        print(f"{name:<32}{'one call' if one else 'all calls':<10}{baseline:>9.0f}{hand:>9.0f}{ours:>9.0f}{ours / hand:>10.2f}",
              flush=True)
