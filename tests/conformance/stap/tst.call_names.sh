# @@host
# Arguments of system calls have the names that SystemTap gives them, beside those of the kernel.
. "$TESTS/lib.sh"
cat > "$work/calls.py" <<'PYTHON'
import os, select, socket
poll = select.poll()
poll.poll(1)
os.access("/absent", os.R_OK)
try:
    os.rename("/absent/a", "/absent/b")
except OSError:
    pass
end = socket.socket()
try:
    end.connect(("127.0.0.1", 1))
except OSError:
    pass
r, w = os.pipe()
os.write(w, b"abcde")
os.read(r, 5)
os._exit(3)
PYTHON
run "$STAP" -e '
probe syscall.poll { if (pid() == target()) printf("poll %d %d\n", nfds, timeout) }
probe syscall.poll.return { if (pid() == target() && timeout == 1) printf("poll %d\n", retval) }
probe syscall.access { if (pid() == target() && isinstr(pathname, "absent")) println(pathname) }
probe syscall.rename { if (pid() == target()) printf("%s %s\n", oldpath, newpath) }
probe syscall.connect { if (pid() == target()) printf("connect %d %d\n", sockfd == fd, serv_addr_uaddr == uservaddr) }
probe syscall.write { if (pid() == target() && count == 5) printf("write %s %d\n", user_string_n(buf_uaddr, 5), buf_uaddr == $buf) }
probe syscall.exit_group { if (pid() == target()) printf("exit %d\n", status) }
global sum
probe syscall.read { sum[buf_uaddr != 0] += count }
probe end { println(sum[1] > 0) }
' -c "python3 $work/calls.py"
want 0
[ "$(cat "$work/out")" = 'poll 0 1
poll 0
"/absent"
"/absent/a" "/absent/b"
connect 1 1
write abcde 1
exit 3
1' ] || { fail "names"; cat "$work/out" "$work/err"; }
done_testing
