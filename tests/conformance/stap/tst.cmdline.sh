# The arguments of the process that fires, one by one.
fails() { echo "$1"; exit 1; }
said=$("$STAP" -c "/bin/echo 'two words' '' last" -e '
probe syscall.exit_group {
  if (pid() != target()) next
  printd("|", cmdline_arg(0), cmdline_arg(1), cmdline_arg(2), cmdline_arg(3), cmdline_arg(4), cmdline_arg(-1)) println("")
  printd("|", cmdline_args(1, -1, ","), cmdline_args(0, 1, " "), cmdline_args(3, 9, "-"), cmdline_args(7, -1, " ")) println("")
}
probe begin { println(cmdline_arg(0), cmdline_args(0, -1, " "), "-") }' 2>&1) || fails "$said"
[ "$said" = '-
two words  last
/bin/echo|two words||last||
two words,,last|/bin/echo two words|last|' ] || fails "$said"
# More than 512 bytes are cut.
many=$(printf '%0600d' 0)
said=$("$STAP" -c "/bin/true $many" -e 'probe syscall.exit_group { if (pid() == target()) println(strlen(cmdline_args(0, -1, " ")), " ", strlen(cmdline_arg(1))) }' 2>&1) || fails "$said"
[ "$said" = '511 502' ] || fails "long arguments: $said"
# A counter by argument runs at home, and counts every call.
said=$("$STAP" -c "/bin/echo counted" -e 'global n
probe syscall.exit_group { if (pid() == target()) n[cmdline_arg(1)]++ }' 2>&1) || fails "$said"
[ "$said" = 'counted
n["counted"]=1' ] || fails "$said"
# Behind the arguments of a program without variables its memory ends: no firing is lost for what is not there.
said=$(env -i "$STAP" -c "/bin/echo last" -e 'probe syscall.exit_group { if (pid() == target()) println(cmdline_arg(1), " ", cmdline_arg(9) == "") }' 2>&1) || fails "$said"
[ "$said" = 'last
last 1' ] || fails "$said"
