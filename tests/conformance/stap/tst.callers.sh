# Frames one by one, in all forms in which stacks are written, and lines of the source.
. "$TESTS/lib.sh"
family=$(copy_of family)
line=$(grep -n 'int shorten' "$TESTS/workloads/family.c" | cut -d: -f1)
run "$STAP" -e '
global n
probe process("'"$family"'").function("shorten") {
  if (n++) next
  printf("%s %d\n", tokenize(caller(), " "), strtol(tokenize("", " "), 16) == caller_addr())
  printf("%d %d %d\n", caller_addr() == ustack(1), addr() == uaddr(), ustack(0) == addr())
  printf("%d %d %d\n", ucallers(1) == sprintf("0x%x 0x%x", ustack(0), ustack(1)), ucallers(-1) == ubacktrace(), ustack(99))
  print_ubacktrace_brief()
  print_ubacktrace()
  print_ubacktrace_fileline()
  printf("line %s\n", usymline(addr()))
  printf("file %s\n", usymfile(addr()))
  printf("both %s\n", usymfileline(addr()))
  printf("%s %s %s %s\n", usymfileline(16), symfileline(16), usymdata(16), symdata(16))
  printf("%d %d %s\n", user_mode(), sprint_ustack(ucallers(0)) == sprint_usyms(ucallers(0)), cmdline_str())
  try { println(modname(16)) } catch (m) { println(m) }
}' -c "$family"
want 0
matches out '^main 1$'
matches out '^shorten\+0x[04]$'
matches out '^ 0x[0-9a-f]+ : shorten\+0x[04]/0x[0-9a-f]+ \[/.*/family\]$'
matches out "^ 0x[0-9a-f]+ : shorten\\+0x[04]/0x[0-9a-f]+ at .*/family.c:$line \\[/.*/family\\]\$"
matches out '^ 0x[0-9a-f]+ : main\+0x[0-9a-f]+/0x[0-9a-f]+ at .*/family.c:[0-9]+ \[/.*/family\]$'
has out "line $line"
matches out "^file .*/family.c\$"
matches out "^both .*/family.c:$line\$"
has out '0x10 0x10 0x10 0x10'
matches out '^1 1 .*/family$'
has out "no module has the address 0x10 near identifier 'modname' at <input>:16:17"
[ "$(grep -c '^1 1 1$' "$work/out")" = 1 ] && [ "$(grep -c '^1 1 0$' "$work/out")" = 1 ] || fail frames
# Of a system call, the callers are the kernel's, and it has no registers of its own.
run "$STAP" -e 'probe syscall.exit_group {
  if (pid() != target()) next
  printf("%d %d %d %d\n", addr(), user_mode(), callers(0) == sprintf("0x%x", stack(0)), caller() == sprintf("%s 0x%x", symname(stack(1)), stack(1)))
  printf("%s\n", symdata(stack(1)))
}' -c true
want 0
has out '0 0 1 1'
matches out '^[^ ]+\+0x[0-9a-f]+/0x[0-9a-f]+ \[kernel\]$'
[ "$bad" = 0 ] || cat "$work/out"
done_testing
