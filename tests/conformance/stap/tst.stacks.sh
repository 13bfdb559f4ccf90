# Stacks are texts of addresses, which can be kept, be keys, and be named later.
out=$("$STAP" -c true -e '
global stacks, users
probe syscall.exit_group {
  if (pid() != target()) next
  stacks[backtrace()]++
  users[ubacktrace()]++
  print_backtrace()
  printf("%d %d\n", sprint_backtrace() == sprint_syms(backtrace()), strtol(tokenize(ubacktrace(), " "), 16) == uaddr())
  print_ubacktrace()
  printf("main %s\n", umodname(uaddr()))
}
probe end {
  foreach (s in stacks) printf("%d %d\n", stacks[s], strlen(s) > 10)
  foreach (s in stacks) { a = strtol(tokenize(s, " "), 16) printf("%d %d\n", symname(a) != "", symdata(a) =~ "^[^ ]+\\+0x[0-9a-f]+/0x[0-9a-f]+ \\[") }
  printf("%s %s\n", symname(1), umodname(1))
}') || exit 1
echo "$out" | grep -q '^ 0x[0-9a-f]* : [a-zA-Z0-9_.]*+0x[0-9a-f]*/0x[0-9a-f]* \[kernel\]$' || { echo "no kernel frame"; echo "$out"; exit 1; }
echo "$out" | grep -q '^ 0x[0-9a-f]* : .*/0x[0-9a-f]* \[/.*/libc.so.6\]$' || { echo "no frame of a program"; echo "$out"; exit 1; }
echo "$out" | grep -qx 'main libc.so.6' || { echo "no module"; echo "$out"; exit 1; }
[ "$(echo "$out" | grep -c '^1 1$')" = 3 ] || { echo "$out"; exit 1; }
echo "$out" | grep -qx '0x1 <unknown>' || { echo "$out"; exit 1; }
