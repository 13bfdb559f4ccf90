# Memory that cannot be read is an error only where the handler asks for it: what is recorded for the case that it does costs no firing.
. "$TESTS/lib.sh"
cat > "$work/closes.py" <<'PYTHON'
import os
for fd in range(901, 908):
    try:
        os.close(fd)
    except OSError:
        pass
PYTHON
# An address of the kernel where nothing is, one of the program, and one that another address leads to.
run "$STAP" -e '
function nowhere(fd) { return 0xffff900000000000 + fd * 8 }
function task(fd) { return @cast(nowhere(fd), "task_struct") }
probe syscall.close {
  if (pid() != target()) next
  try {
    if ($fd == 901) println(kernel_long(nowhere($fd)))
    else if ($fd == 902) println(kernel_string(nowhere($fd)))
    else if ($fd == 903) println(task($fd)->real_parent->tgid)
    else if ($fd == 904) println(d_path(&@cast(nowhere($fd), "file")->f_path))
    else if ($fd == 905) println(user_long(0x700000001000 + $fd))
    else if ($fd == 906) println(kernel_string(@cast(kernel_pointer(nowhere($fd)), "file")->f_path->dentry->d_name->name))
    else if ($fd == 907) printf("%d asks for nothing\n", $fd)
  } catch (message) {
    printf("%d %s\n", $fd, substr(message, 0, strpos(message, "0x")))
  }
}
function strpos:long(text:string, what:string) {
  for (i = 0; i < strlen(text); i++) if (substr(text, i, strlen(what)) == what) return i
  return strlen(text)
}' -c "python3 $work/closes.py"
want 0
[ -s "$work/err" ] && { cat "$work/err"; fail "lost"; }
cat > "$work/wanted" <<'E2'
901 kernel read fault [man error::fault] at 
902 kernel string copy fault at 
903 kernel read fault [man error::fault] at 
904 kernel string copy fault at 
0
906 kernel read fault [man error::fault] at 
907 asks for nothing
E2
diff "$work/wanted" "$work/out" || fail "other errors"
done_testing
