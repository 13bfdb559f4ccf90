# @@host
# System calls have the points that SystemTap has of them: pread is pread64, and pipe also pipe2.
. "$TESTS/lib.sh"
cat > "$work/calls.py" <<'PYTHON'
import ctypes, os, select, sys
libc = ctypes.CDLL(None)
os.close(0)
os.open(sys.argv[1], os.O_RDONLY)
os.pread(0, 7, 3)
where = os.open(".", os.O_RDONLY)
os.stat("absent-of-test" if os.path.lexists("absent-of-test") else ".", dir_fd=where)
os.listdir(where)
r, w = os.pipe()
os.pwrite(os.open("/dev/null", os.O_WRONLY), b"xyz", 2)
select.epoll()
os.eventfd(5)
libc.umount(b"/absent")
libc.writev(w, 0, 0)
libc.linkat(-100, b"/absent/a", -100, b"/absent/b", 0)
os._exit(0)
PYTHON
# What each of them is called, and what its arguments are, by SystemTap's names.
run "$STAP" -e '
probe syscall.pread { if (pid() == target() && count == 7) printf("%s %d %d %s\n", name, count, offset, pp()) }
probe syscall.pread.return { if (pid() == target() && count == 7) printf("%s %d\n", name, retval) }
probe syscall.pwrite { if (pid() == target() && count == 3) printf("%s %d\n", name, offset) }
probe syscall.fstatat { if (pid() == target() && path == "\".\"") printf("%s\n", name) }
probe syscall.getdents { if (pid() == target()) dents <<< count }
probe syscall.pipe, syscall.eventfd, syscall.epoll_create { if (pid() == target()) printf("%s\n", name) }
probe syscall.umount { if (pid() == target()) printf("%s %s %s\n", name, target, argstr) }
probe syscall.writev { if (pid() == target()) printf("%d %d\n", vector_uaddr, count) }
probe syscall.linkat { if (pid() == target()) printf("%s %s %s %d\n", olddirfd_str, oldpath, newpath, newdirfd) }
global dents
probe end { println(@count(dents) > 0) }
' -c "python3 $work/calls.py $work/calls.py"
want 0
same out 'pread 7 3 syscall.pread64
pread 7
fstatat
pipe
pwrite 2
epoll_create
eventfd
umount "/absent" "/absent", 0
0 0
AT_FDCWD "/absent/a" "/absent/b" -100
1
'
# A pattern means each call once, whichever name of it matches.
run "$STAP" -e 'probe syscall.p{read,write}* { if (pid() == target() && (count == 7 || count == 3)) println(name) }' -c "python3 $work/calls.py $work/calls.py"
want 0
same out 'pread64
pwrite64
'
run "$STAP" -l 'syscall.fstat*'
want 0
has out 'syscall.fstatat'
has out 'syscall.fstat
'
run "$STAP" -L 'syscall.*'
want 0
! grep -q ' :' "$work/out" || fail 'a variable without a name'
run "$STAP" -L syscall.uname
want 0
same out 'syscall.uname name:string argstr:string $name:struct new_utsname*
'
# The arguments of a program.
run "$STAP" -e 'probe syscall.execve { if (ppid() == target()) printf("%s\n", args) }' -c "sh -c 'echo | env -u none sort -u; true'"
want 0
has out 'env -u none sort -u
'
done_testing
