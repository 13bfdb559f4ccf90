# What a point with wildcards has found: pp(), $$name, and only what was meant. Parameters at returns are those of the
# entry. argstr and arguments by their names at returns of system calls. Conditions of aliases.
. "$TESTS/lib.sh"
family=$(copy_of family)
usdt=$BUILD/tests/workloads/usdt
run "$STAP" -e 'global seen
probe process.function("shor*") { if (!seen[pp()]++) printf("%s %s\n", pp(), $$parms) }
probe process.function("shor*").return { if (!seen[pp()]++) printf("%s %s %s\n", pp(), $$parms, $$return) }
probe kernel.trace("sched_process_exi*") { if (pid() == target()) seen[pp() . $$name] = 1 }
probe end { println("kernel.trace(\"sched_process_exit\")sched_process_exit" in seen) }' -c "$family"
want 0
same out 'process.function("shorten") low=0xfffffffffffffffd high=0x9c40 score=0xfffffffffffffff9 sign=0x0
process.function("shorten").return low=0xfffffffffffffffd high=0x9c40 score=0xfffffffffffffff9 sign=0x0 return=0x9c40
1\n'
calls=$BUILD/tests/workloads/getppid
run "$STAP" -e 'probe process.function("main") {
  printf("%d %d %s\n", $argc, user_string($argv[0]) == tokenize(cmdline_str(), " "), user_string($argv[1]))
  printf("%d %s %s\n", int_arg(1), user_string_n2($argv[1], 1, "?"), user_string2($argv[2], "?"))
}' -c "$calls 25"
same out '2 1 25
2 2 ?\n'
run "$STAP" -e 'global seen
probe process.mark("*") { seen[pp(), $$name]++ if ($$name == "twice") text = $$vars }
global text
probe end { foreach ([p+, n] in seen) println(p . n) println(text) }' -c "$usdt"
want 0
grep -v '^up ' "$work/out" >"$work/marks"
same marks 'process.mark("busy")busy
process.mark("every__form")every__form
process.mark("other__forms")other__forms
process.mark("twice")twice
$arg1=0x9 $arg2=0x2\n'
run "$STAP" -e 'probe syscall.openat.return {
  if (pid() == target() && isinstr(argstr, "/no/such")) printf("%s(%s) = %s %s %d %s\n", name, argstr, retstr, filename, dfd, $$parms)
}' -c 'cat /no/such'
matches out '^openat\(AT_FDCWD, "/no/such", O_RDONLY\) = -2 \(ENOENT\) "/no/such" -100 dfd=0xffffffffffffff9c filename=0x[0-9a-f]+ flags=0x0 mode=0x0$'
run "$STAP" -L 'syscall.openat'
same out 'syscall.openat name:string argstr:string dfd:long filename:string flags:long mode:long $dfd:int $filename:const char* $flags:int $mode:umode_t\n'
run "$STAP" -e 'probe a = begin if (0) { } probe b = begin, end if (1) { } probe a { println("wrong") }
probe b if (pp() == "end") { println(pn()) } probe begin(1) { exit() }'
want 0
same out 'b\n'
# Structures of programs: with their members, by @cast, and through NULL.
run "$STAP" -e 'global n
probe process("'"$family"'").function("lookup") {
  if (n++) next
  printf("%s\n", $first$)
  printf("%d %d\n", @cast($first, "name", "'"$family"'")->next->length, @cast($first, "struct name", "'"$family"'")->length)
  try { println($first->next->next->length) } catch { println("through NULL") }
  println($first->length)
}' -c "$family"
want 0
matches out '^\{\.text="first", \.length=5, \.next=0x[0-9a-f]+\}$'
sed 1d "$work/out" >"$work/rest"
same rest '6 5\nthrough NULL\n5\n'
run "$STAP" -e 'probe process("'"$family"'").function("lookup") { println(@cast($first, "task_struct", "'"$family"'")->pid) }'
has err "type definition 'task_struct' not found in '$family'"
done_testing
