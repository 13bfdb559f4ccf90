# Functions of a program, their arguments by their types, in every process that runs it; a library of it; its
# processes and threads; its system calls.
. "$TESTS/lib.sh"
family=$(copy_of family)
out=$("$STAP" -e '
probe process("'"$family"'").function("shorten") {
  printf("%s %d %d %d %d %s\n", probefunc(), $low, $high, $score, $sign, pid() == target() ? "parent" : "child")
}
probe process("'"$family"'").function("shorten").return { printf("= %d\n", $return) }
probe process("'"$family"'").function("lookup").call {
  printf("%s %d %s %s\n", user_string($first->text), $first->next->length, user_string($wanted), user_string($arg2))
}
probe process("'"$family"'").function("lookup").return { printf("= %s\n", user_string($return->text)) }' \
  -c "$family") || exit 1
[ "$out" = 'shorten -3 40000 -7 0 parent
= 40000
shorten 2 5 7 -1 parent
= -3
first 6 first one first one
= second
shorten 1 2 3 0 child
= 2
shorten 1 2 3 0 child
= 2
first 6 child'"'"'s child'"'"'s
= second' ] || { echo "functions: $out"; exit 1; }
# Of the process of -c alone, by patterns, and of a library in it.
out=$("$STAP" -e 'global n, calls
probe process.function("s*orten") { n++ }
probe process("'"$family"'").library("libc").function("strto*l") { calls[user_string($arg1)]++ }
probe end { println(n) foreach ([text+] in calls) printf("%s %d\n", text, calls[text]) }' -c "$family") || exit 1
[ "$out" = '2
10 1
20 1
30 1' ] || { echo "target: $out"; exit 1; }
# The lives of processes and threads, and system calls.
out=$("$STAP" -e 'global begun, ended, threads, gone, waits
probe process("'"$family"'").begin { begun++ }
probe process("'"$family"'").end { ended++ }
probe process("'"$family"'").thread.begin { threads++ }
probe process("'"$family"'").thread.end { gone++ }
probe process.syscall { if ($syscall == 61 && $arg1 > 0) waits++ }
probe process.syscall.return { if ($syscall == 61 && $return > 0) waits++ }
probe end { printf("%d %d %d %d %d\n", begun, ended, threads, gone, waits) }' -c "$family" 2>&1 | tail -1)
case $out in
  '2 2 2 2 2') ;;
  *"it has left its program"*) ;;
  *) echo "lives: $out"; exit 1 ;;
esac
# A path is a file, and not every file of its name; no process needs to run it.
mkdir "$work/one" "$work/other"
cp "$family" "$work/one/family"
cp "$family" "$work/other/family"
out=$("$STAP" -e 'global one, other
probe process("'"$work"'/one/family").function("lookup") { one++ }
probe process("'"$work"'/other/family").function("lookup") { other++ }
probe end { printf("%d %d\n", one, other) }' -c "$work/one/family") || exit 1
[ "$out" = '2 0' ] || { echo "files: $out"; exit 1; }
