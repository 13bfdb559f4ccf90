# A command runs behind what its handler has printed, and a failing one is no error of the script.
out=$("$STAP" -e 'probe begin {
  system("echo from the command; exit 3")
  println("from the handler")
  exit()
}
probe end { println("end") }') || exit 1
[ "$out" = 'from the handler
from the command
end' ] || { echo "$out"; exit 1; }
out=$("$STAP" -c true -e 'probe syscall.exit_group.return, syscall.close.return { if (pid() == target()) { println($$return) exit() } }') || exit 1
[ "$out" = 'return=0x0' ] || { echo "$out"; exit 1; }
