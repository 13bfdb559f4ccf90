#!/usr/bin/env python3
# @@host
"""Variables of the library's points, as the reference manual lists them, against what a program did."""
import os
import subprocess
import sys
import tempfile

PROGRAM = """
import ctypes, os, signal, sys
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP, signal.SIGUSR2])
for path, words in (("/bin/true", ["true", "one", "two words"]), ("/bin/true", ["only"]), ("/nonexistent", ["x", ""])):
    child = os.fork()
    if child == 0:
        try:
            os.execv(path, words)
        finally:
            os._exit(3)
    os.waitpid(child, 0)
os.kill(os.getpid(), signal.SIGUSR1)
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk(ctypes.c_long(0))
libc.sbrk(ctypes.c_long(64 << 12))
libc.sbrk(ctypes.c_long(-(64 << 12)))
with open(sys.argv[1], "wb") as file:
    file.write(b"x" * (4 << 20))
    file.flush()
    os.fsync(file.fileno())
    # Of pages that the kernel keeps together, the first one says whose they are.
    for page in (3, 5, 100, 777):
        os.pwrite(file.fileno(), b"y" * 100, page * 4096)
        os.fsync(file.fileno())
    made = os.fstat(file.fileno())
    print("file", made.st_ino, os.major(made.st_dev), flush=True)
"""
SCRIPT = """
probe kprocess.exec { if (ppid() == target()) printf("exec %s [%s] [%s] %s\\n", filename, args, argstr, name) }
probe kprocess.exec_complete { if (ppid() == target()) printf("done %d %d %s %s\\n", errno, success, retstr, name) }
probe signal.handle { if (pid() == target()) printf("handle %s %d %s\\n", sig_name, sig_code, sig_mode) }
probe signal.procmask { if (pid() == target() && how == 0 && sigset) printf("mask %s\\n", sigset_mask_str(sigset)) }
probe signal.do_action { if (pid() == target() && sigact_addr && sig == 10) printf("action %d %d %x\\n", sa_handler > 1, sig, sa_mask) }
probe vm.brk { if (pid() == target() && (length == 262144 || length == -262144)) printf("brk %d %d\\n", length, address > 0) }
probe ioblock.request {
  if (rw) writes[ino]++
  if (phys_segments != vcnt || bdev_contains == 0 || hw_segments != vcnt) println("request")
}
probe ioblock.end { if (rw) ends[ino] = bytes_done <= size }
probe ioblock_trace.request { if (rw) traced[ino] = q != 0 && bdev_contains != 0 && bytes_done == 0 }
probe ioscheduler.elv_completed_request { if (elevator_name == "" || q == 0 || rq_flags == 0) println("scheduler") else completed = 1 }
probe irq_handler.entry, irq_handler.exit {
  if (action == 0 || handler == 0 || dev_name == "") println("interrupt")
}
probe workqueue.execute { if (wq_thread == 0) println("work") }
probe vm.kmalloc { if (caller_function == "" || gfp_flag_name == "") println("kmalloc") else allocated++ }
probe vm.kmem_cache_alloc_node { if (caller_function == "" || bytes_req == 0) println("cache") }
global writes, ends, traced, completed, allocated
probe end { foreach (ino in writes) printf("writes %d %d %d %d\\n", ino, writes[ino], ends[ino], traced[ino]) println(completed ? "completed" : "none") println(allocated > 0) }
"""

with tempfile.TemporaryDirectory(dir=os.environ.get("DT_DISK", "/var/tmp")) as directory:
    program = os.path.join(directory, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    run = subprocess.run([os.environ["STAP"], "-e", SCRIPT, "-c", f"{sys.executable} {program} {directory}/file"],
                         capture_output=True, text=True)
lines = run.stdout.splitlines()
bad = []
wanted = """exec /bin/true [true one two words] [/bin/true one two words] execve
done 0 1 0 execve
exec /bin/true [only] [/bin/true] execve
exec /nonexistent [x ] [/nonexistent ] execve
done -2 0 -2 (ENOENT) execve
handle SIGCHLD 1 kernel
handle SIGUSR1 0 user
mask SIGHUP,USR2
action 1 10 0
brk 262144 1
brk -262144 1
1""".replace("SIGHUP", "HUP").splitlines()
bad += [f"not seen: {one}" for one in wanted if one not in lines]
bad += [f"seen: {one}" for one in ("request", "scheduler", "interrupt", "work", "kmalloc", "cache") if one in lines]
inode, major = next((line.split()[1:] for line in lines if line.startswith("file ")), ("", "0"))
blocks = [line.split()[1:] for line in lines if line.startswith("writes ")]
# A file in memory alone has the number 0 as its device.
if major != "0" and not any(one[0] == inode and int(one[1]) >= 5 and one[2:] == ["1", "1"] for one in blocks):
    bad.append(f"no block of the file {inode}: {blocks}")
for one in bad:
    print(one)
if bad:
    print(run.stdout, run.stderr)
sys.exit(1 if bad else 0)
