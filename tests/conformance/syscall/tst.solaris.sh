# -x compat=solaris: system calls under the names of Solaris, with its arguments and results.
. "$TESTS/lib.sh"
run "$DTRACE" -q -c 'cat /etc/hostname /no/such/file' -n '
#pragma D option compat=solaris
syscall::open:entry /pid == $target/ { self->path = arg0; self->flags = arg1; }
syscall::open64:entry, syscall::exec:entry { printf("never\n"); exit(1); }
syscall::open:return /self->path/ { printf("%s %s %d %d\n", probefunc, copyinstr(self->path), (int)arg0 < 0 ? arg0 : 0, errno); self->path = 0; }
syscall::rexit:entry /pid == $target/ { printf("%s %d\n", probefunc, arg0); }
syscall::pread64:entry /pid == $target/ { printf("twice\n"); }'
want 0
has out 'open /etc/hostname 0 0'
has out 'open /no/such/file -1 2'
has out 'rexit 1'
for word in never twice; do grep -q "$word" "$work/out" && fail "$word"; done

# A process, its program, and its sleep. fork1 and fork mean the same call.
for fork in fork fork1 forksys; do
  run "$DTRACE" -x compat=solaris -q -c "sh -c '(sleep 0.05); true'" -n "
  syscall::$fork:return /ppid == \$target || pid == \$target/ { @[probemod, probefunc, arg0 == 0] = count(); }
  syscall::exece:return /progenyof(\$target) && pid != \$target/ { printf(\"%s %s %d\n\", probefunc, execname, arg0); }
  syscall::nanosleep:entry /progenyof(\$target)/ { t = (struct timespec *)copyin(arg0, 16); printf(\"%s %d\n\", probefunc, t->tv_nsec); }
  END { printa(\"%s %s %d\n\", @); }"
  want 0
  matches out '^[a-z]+ forksys 1$'
  matches out '^[a-z]+ forksys 0$'
  has out 'exece sleep 0'
  has out 'nanosleep 50000000'
done

# The C library makes threads by clone() or clone3(), and asks for an open file by fstat() or newfstatat().
run "$DTRACE" -x compat=solaris -q -c "python3 -S -c '
import os, threading
for _ in range(300):
    one = threading.Thread(target=int); one.start(); one.join()
os.dup2(os.open(\"/etc/hostname\", os.O_RDONLY), 99)
for _ in range(7): os.fstat(99)
for _ in range(5): os.stat(\"/etc/hostname\")
'" -n '
syscall::lwp_create:entry, syscall::lwp_create:return /pid == $target/ { @[probefunc, probename] = count(); }
syscall::fstat:entry /pid == $target && (int)arg0 == 99 && arg1 > 4096/ { @[probefunc, probename] = count(); }
syscall::stat:entry /pid == $target && copyinstr(arg0) == "/etc/hostname"/ { @[probefunc, probename] = count(); }
syscall::stat:entry /pid == $target && copyinstr(arg0) == ""/ { printf("a path that is empty\n"); }
END { printa("%s %s %@d\n", @); }'
want 0
has out 'lwp_create entry 300'
has out 'lwp_create return 600'
has out 'fstat entry 7'
has out 'stat entry 5'
grep -q "empty" "$work/out" && fail "fstat is stat"

# A process group is a negative number.
run "$DTRACE" -x compat=solaris -q -c "sh -c 'kill -0 -4190000 2>/dev/null; true'" -n '
syscall::kill:entry /pid == $target/ { printf("%d %d\n", arg0, arg1); }'
want 0
has out '-4190000 0'

# The list says which call of Linux it is, and which exists there only.
run "$DTRACE" -x compat=solaris -l -n 'syscall::open*:entry'
want 0
matches out 'syscall +openat +open entry$'
matches out 'syscall +vmlinux +open entry$'
matches out 'syscall +none +open64 entry$'
grep -q 'openat entry' "$work/out" && fail "openat has two names"
run "$DTRACE" -x compat=solaris -lvn 'syscall:openat:open:entry'
has out 'args[0]: userland const char * (filename)'
run "$DTRACE" -x compat=hp-ux -e -n BEGIN
want 1
has err 'linux, solaris'
# Without it, a name of another system is answered with what Linux has.
run "$DTRACE" -e -n 'syscall::exece:entry'
want 1
has err "what illumos calls exece is execve, execveat of Linux: -x compat=solaris gives the calls the names of illumos"
run "$DTRACE" -e -n 'syscall::pollsys:entry'
want 1
has err "what illumos calls pollsys is poll, ppoll of Linux: -x compat=solaris"
grep -q "did you mean" "$work/err" && fail "a call that is not meant is named"
run "$DTRACE" -e -n 'syscall::write_nocancel:return'
want 1
has err "did you mean 'syscall::write:return'?"
# The kernel's own names of a call.
for name in __x64_sys_read sys_read ksys_read sys_enter_read SyS_read; do
  run "$DTRACE" -e -n "syscall::$name:entry"
  want 1
  has err "$name belongs to the system call read: syscall::read:entry"
done
run "$DTRACE" -e -n 'syscall::fork:nothing'
want 1
grep -q illumos "$work/err" && fail "a call of Linux has another name"
done_testing
