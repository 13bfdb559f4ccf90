#!/usr/bin/env python3
# @@host
"""%m and %M show bytes of memory, of a program with #; buffers with zeros and texts of wide characters are read."""
import os
import subprocess
import sys

STAP = os.environ["STAP"]
WIDE, WIDER = "h\u00e9\U0001F600", "z\u20ac"
BYTES = (b"\1\0AB\xff\0\0" + WIDE.encode("utf-16-le") + b"\0\0" + WIDER.encode("utf-32-le") + b"\0\0\0\0")
COMMAND = "printf '%s' > /dev/null" % "".join("\\%03o" % one for one in BYTES)

# Each line of a handler, and what it prints.
LINES = [
    ('printf("%.4M", $buf)', b"01004142"),                     # of an argument that leads to the program
    ('printf("%#M|%#.5M", $buf, $buf)', b"01|01004142ff"),     # a byte, without a precision
    ('printf("%#12.4M|%#-12.4M|", $buf, $buf)', b"    01004142|01004142    |"),
    ('printf("%#.*M", n, $buf)', b"010041"),                   # a number that is known when the probe fires
    ('printf("%#.*M", n - 3, $buf)', b""),
    ('printf("%#.2m|%#5.2m|%#-5.2m|", $buf + 2, buf_uaddr + 2, $buf + 2)', b"AB|   AB|AB   |"),
    ('print(sprintf("%#.1M", $buf) . sprintf("%#.3M", $buf + 2))', b"014142ff"),
    ('print(user_buffer_quoted($buf, 6, 40), user_buffer_quoted_error($buf, n, 40))', b'"\\001\\000AB\\377\\000""\\001\\000A"'),
    ('print(user_buffer_quoted(1, 4, 40))', b"0x1"),
    ('print(user_string_utf16($buf + 7), user_string_utf32($buf + 17))', (WIDE + WIDER).encode()),
    ('print(user_string2_utf16(1, "none"), user_string_utf32(1, "nothing"))', b"nonenothing"),
    ('print(user_string_quoted_utf16($buf + 7), user_string_quoted_utf32(1))', b'"h\\303\\251\\360\\237\\230\\200"0x1'),
    ('try { printf("%#.*M", n + 510, $buf) } catch (m) { print(m) }',
     b"at most 512 bytes of memory are recorded near identifier '$buf' at <input>:"),
]


def stap(script, command):
    ran = subprocess.run([STAP, "-c", command, "-e", script], capture_output=True, check=False)
    if ran.returncode != 0:
        sys.exit("%s: %s" % (script, ran.stderr.decode()))
    return ran.stdout


WHOLE = stap("probe syscall.write { if (pid() != target() || $count != %d) next n = 3\n%s }" % (
    len(BYTES), "\n".join('%s println("")' % line for line, _ in LINES)), COMMAND)
said = WHOLE.split(b"\n")
if len(said) != len(LINES) + 1:
    sys.exit("printed %r" % WHOLE)
for (line, wanted), found in zip(LINES, said):
    if not (found.startswith(wanted) if wanted.endswith(b":") else found == wanted):
        sys.exit("%s\nprinted %r, wanted %r" % (line, found, wanted))

# Memory of the kernel: at a probe, and when a handler of the session runs.
found = stap("""probe kernel.trace("sched_process_exit") {
  if (pid() == target()) printf("%.4m %.5M %s\\n", $p->comm, $p->comm, kernel_buffer_quoted($p->comm, 6, 20))
}
global task
probe begin { task = task_current() printf("%.4m %8.2M %.*m\\n", task->comm, task->comm, 3, task->comm) }
probe begin { try { printf("%.4m", 0x10) } catch (m) { println(m) } printf("%#c%#c%#c\\n", 10, 65, 1) }""", "true")
wanted = (b"stap     7374 sta\nkernel read fault [man error::fault] at 0x10 near number '0x10' at <input>:6:36\n\\nA\\001\n"
          b'true 7472756500 "true\\000\\000"\n')
if found != wanted:
    sys.exit("printed %r, wanted %r" % (found, wanted))

# At the return of a system call it is what the call has written; of a function, the memory of its entry is another one.
found = stap('probe syscall.read.return { if (pid() == target() && $return > 50) printf("%#.4m %#.4M\\n", $buf, $buf) }',
             "sh -c 'exec cat /etc/passwd > /dev/null'")
if not found.endswith(b"root 726f6f74\n"):
    sys.exit("at a return: %r" % found)
ran = subprocess.run([STAP, "-e", 'probe process("sh").library("libc").function("read").return { printf("%#.4M", $arg2) }'],
                     capture_output=True, check=False)
if ran.returncode != 1 or b"this address follows from no value of the probe alone" not in ran.stderr:
    sys.exit("at a return: %r" % ran.stderr)
ran = subprocess.run([STAP, "-e", 'probe syscall.write { printf("%#.513M", $buf) }'], capture_output=True, check=False)
if ran.returncode != 1 or b"at most 512 bytes of memory are recorded" not in ran.stderr:
    sys.exit("too many: %r" % ran.stderr)
