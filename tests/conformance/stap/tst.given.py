#!/usr/bin/env python3
# @@host
"""What the returns of system calls know of their calls; texts of arguments, and addresses of sockets; patterns of aliases."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check

ONLY = 'if (pid() != target()) next '


def runs(command, script, out, **more):
    return Stap(script, out if isinstance(out, str) else re.compile(out.pattern, re.S), options=["-c", command], **more)


SOCKET = """python3 -c "
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); a.bind(('127.0.0.1', 0))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); b.connect(a.getsockname())
try:
    c = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); c.connect(('::1', 9))
except OSError:
    pass
d = socket.socket(socket.AF_UNIX)
try: d.connect('/no/such/socket')
except OSError: pass
" """

check([
    # What read() has read is read at its return; the name was not in memory before the call.
    runs("sh -c 'exec cat /etc/hostname > /dev/null'",
         'probe syscall.read.return { ' + ONLY + 'if ($return > 0 && fd == 3) s = user_string_n($buf, $return) }'
         'global s probe end { printf("%d\\n", strlen(s) > 0) }', "1\n"),
    runs("sh -c 'exec cat /etc/passwd > /dev/null'",
         'probe syscall.read.return { ' + ONLY + 'if ($return > 5) t = text_strn(user_string_n(buf_uaddr, retval), 4, 0) }'
         'global t probe end { println(t) }', "root...\n"),
    runs("cat /no/such/file", 'probe syscall.openat.return { ' + ONLY + 'if ($return < 0 && user_string($filename) == "/no/such/file")'
         ' printf("%s|%s|%d|%s\\n", user_string($filename), @entry(user_string($filename)), $flags, argstr) }',
         '/no/such/file|/no/such/file|0|AT_FDCWD, "/no/such/file", O_RDONLY\n',
         err="WARNING: Child process exited with status 1"),
    runs("cat /no/such/file", 'probe syscall.*.return { ' + ONLY + 'if (retval == -2 && isinstr(argstr, "no/such")) printf("%s(%s) = %s\\n", name, argstr, retstr) }',
         'openat(AT_FDCWD, "/no/such/file", O_RDONLY) = -2 (ENOENT)\n',
         err="WARNING: Child process exited with status 1"),
    # execve() gives its thread other registers.
    runs("sh -c '/bin/true; :'", 'probe syscall.execve.return { if (user_string(@entry($filename), "") == "/bin/true") println(filename, " ", $return) }',
         '"/bin/true" 0\n'),
    runs("sh -c 'exec /bin/true'", 'probe syscall.execve.return { ' + ONLY + 'printf("%s %s %d\\n", filename, retstr, isinstr(argstr, "/bin/true")) }',
         '"/bin/true" 0 1\n'),
    # That of -c itself is over before the probes are there.
    runs("true", 'probe syscall.execve.return { ' + ONLY + 'println(argstr) }', "",
         err="WARNING: 'syscall.execve.return' has not run: probes fire from the first instruction of the command of -c on"),
    runs("true", 'probe syscall.execve { ' + ONLY + 'println(argstr) }', "", err="WARNING: 'syscall.execve' has not run: "),
    # Of execve() and execveat(), a program calls one.
    runs("sh -c '/bin/true; :'", 'probe kprocess.exec { if (ppid() == target()) println(filename) }'
         'probe kprocess.exec_complete { if (ppid() == target()) println(success) }', "/bin/true\n1\n"),
    # Returns that there are not.
    runs("true", 'probe syscall.exit_group.return { println(retstr) }', "", err="WARNING: exit_group() does not return: "),
    runs("true", 'probe syscall.exit.return { println(argstr) }', "", err="WARNING: exit() does not return: "),
    runs("true", 'probe syscall.rt_sigreturn.return { println(name, argstr, retstr) }', "",
         err="WARNING: the kernel does not report the return of rt_sigreturn(): "),
    runs("true", 'probe syscall.execveat.return { ' + ONLY + 'println(argstr) }', "",
         err="WARNING: the kernel reports the return of an execveat() that has succeeded as one of execve(): "),
    runs("true", 'global n probe syscall.*.return { ' + ONLY + 'n++ } probe end { println(n > 0) }', "1\n"),
    runs("""python3 -c 'import ctypes; ctypes.CDLL(None).syscall(322, -1, b"x", None, None, 0x1000)'""",
         'probe syscall.execveat.return { ' + ONLY + 'printf("%s %d %s %s %s\\n", name, $fd, filename, flags_str, retstr) }',
         'execveat -1 "x" AT_EMPTY_PATH -9 (EBADF)\n', err="WARNING: "),
    runs("""python3 -c 'import os, subprocess; subprocess.run(["true"]); os.fork() or os._exit(0)'""",
         'probe syscall.vfork.return, syscall.clone.return { ' + ONLY + 'printf("%s(%s) %d\\n", name, argstr, retval > 0) }',
         re.compile(r"(vfork\(\) 1\n)?clone\(CLONE_CHILD_CLEARTID\|CLONE_CHILD_SETTID\|SIGCHLD, NULL, NULL, 0x[0-9a-f]+, (NULL|0x[0-9a-f]+)\) 1\n")),
    # CLONE_SIGHAND without CLONE_VM is refused by the kernel; 0xff is no signal.
    runs("""python3 -c 'import ctypes; f = ctypes.CDLL(None).syscall; f(56, 0x10800, 0, 0, 0, 0); f(56, 0x10811, 0, 0, 0, 0); f(56, 0x108ff, 0, 0, 0, 0)'""",
         'probe syscall.clone.return { ' + ONLY + 'if (retval < 0) println(clone_flags_str) }',
         "CLONE_SIGHAND|CLONE_THREAD\nCLONE_SIGHAND|CLONE_THREAD|SIGCHLD\nCLONE_SIGHAND|CLONE_THREAD|0xff\n"),
    runs("python3 -c 'import os, signal; os.kill(os.getpid(), 0)'", 'probe syscall.kill, syscall.kill.return { ' + ONLY + 'println(sig_name) }', "0\n0\n"),
    runs("python3 -c 'import os; os.lseek(0, 0, 1) if 0 else os.lseek(os.open(\"/etc/passwd\", os.O_RDONLY | os.O_NOFOLLOW), 5, 2)'",
         'probe syscall.lseek { ' + ONLY + 'if (offset == 5) println(whence_str) } '
         'probe syscall.openat { ' + ONLY + 'if (isinstr(filename, "/etc/passwd")) println(flags_str) }',
         "O_RDONLY|O_NOFOLLOW|O_CLOEXEC\nSEEK_END\n"),
    runs("sh -c 'echo hello > /dev/null'", 'probe syscall.write { ' + ONLY + 'println(buf_str) }', '"hello\\n"\n'),
    runs(SOCKET, 'probe syscall.bind { ' + ONLY + 'if (uaddr_af == "AF_INET") printf("bind %s %s\\n", uaddr_ip, uaddr_ip_port) } '
         'probe syscall.connect.return { ' + ONLY + 'printf("%s %s %d\\n", uaddr_af, uaddr_ip, strtol(uaddr_ip_port, 10) > 0) }',
         re.compile(r"bind 127\.0\.0\.1 0\nAF_INET 127\.0\.0\.1 1\nAF_INET6 ::1 1\nAF_UNIX  0\n")),
    # These names are the script's own, if it writes to them.
    runs("true", 'global n probe syscall.connect { ' + ONLY + 'uaddr_ip = 5 n += uaddr_ip } probe end { println(n) }', "0\n"),
    # A pattern means what is there.
    Stap('probe tcp.*, vm.* { println(name) } probe begin { println("here") exit() }', "here\n"),
    Stap('probe scsi.* { }', "", err="functions of SCSI differ with each kernel", status=1),
    Stap('probe begin { printf("%d\\n", task_open_file_handles(task_current()) > 2) exit() }', "1\n"),
    Stap('probe begin { printf("%d\\n", proc_mem_size_pid(1) > 0 && task_utime_tid(1) >= 0) exit() }', "1\n"),
    runs("""sh -c "kill -0 \\$\\$" """, 'probe syscall.kill { ' + ONLY + 'println(pid == target()) }', "1\n"),
    # The kernel adds, and loses nothing.
    Stap('global s probe vfs.read.return { if (pid() == target()) s[ret] <<< 1 } probe end { println(@count(s[7])) }', "200000\n",
         options=["-v", "-c", "dd if=/dev/zero of=/dev/null bs=7 count=200000 status=none"], err=": in the kernel"),
    Stap('global s probe syscall.read.return { if ($count == 7 && pid() == target()) s[fd, count] += retval } '
         'probe end { foreach ([f, c] in s) println(f, " ", c, " ", s[f, c]) }', "0 7 1400000\n",
         options=["-v", "-c", "dd if=/dev/zero of=/dev/null bs=7 count=200000 status=none"], err=": in the kernel"),
])
