# At a return, $x and @entry(x) are the values at the entry of the same call; @defined decides what is checked.
out=$("$STAP" -c 'sh -c "exec cat /etc/hostname /no/such >/dev/null 2>&1"' -e '
probe syscall.openat.return {
  if (pid() != target()) next
  # A name that the program has not touched is not in memory: that of the cache of libraries.
  try {
    if (user_string_n($filename, 100) =~ "^/(etc/host|no/)(.*)")
      printf("%s %s %d %d %d\n", matched(0), matched(2), ngroups(), $return >= 0, @entry(gettimeofday_ns()) <= gettimeofday_ns())
  } catch { }
}
probe syscall.{close,openat} {
  if (pid() != target()) next
  if (@defined($filename)) opened += $filename != 0
  else closed += $fd >= 0
  x = @choose_defined($no_such, 5)
  if (@defined($no_such->x) && $no_such->x) println("never")
}
global opened, closed
probe end { printf("%d %d\n", opened > 2, closed > 1) }') || exit 1
[ "$out" = '/etc/hostname name 3 1 1
/no/such such 3 0 1
1 1' ] || { echo "$out"; exit 1; }
[ "$("$STAP" -e 'probe begin { printf("%d %d %d\n", @const("ENOENT"), @defined(@cast(0, "task_struct")->pid), @defined(@cast(0, "task_struct")->no_such)) exit() }')" = '2 1 0' ] || { echo "constants"; exit 1; }
refuses() {
  said=$("$STAP" -e "$2" 2>&1) && { echo "accepted: $2"; exit 1; }
  case $said in *"$1"*) ;; *) echo "wanted: $1"; echo "$said"; exit 1 ;; esac
}
# Memory is that of the entry: of a name it is the same at the return, of a buffer that the call fills it is not.
[ "$("$STAP" -c 'cat /no/such' -e 'probe syscall.openat.return {
  if (pid() == target() && user_string(@entry($filename), "?") == "/no/such") println(user_string_n2($filename, 3, "?"))
}' 2>/dev/null)" = '/no' ] || { echo "memory of the entry"; exit 1; }
refuses "the call may have changed what the pointer leads to" 'probe process("sh").library("libc").function("read").return { println(user_string_n($arg2, 10)) }'
refuses "@entry is known at returns of functions and system calls only" 'probe syscall.close { println(@entry($fd)) }'
refuses "unable to find local 'no_such'" 'probe syscall.close.return { println($no_such) }'
refuses "'NO_SUCH' is no constant" 'probe begin { println(@const("NO_SUCH")) }'
refuses "references back are not of the language" 'probe begin { println("aa" =~ "(a)\\1") }'
refuses "regular expression 'a(': Unmatched (" 'probe begin { println("a" =~ "a(") }'
refuses "expected literal string" 'probe begin { s = "a" println("a" =~ s) }'
