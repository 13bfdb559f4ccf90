# What was traced reaches the shell of system() as data, however the script has written it.
. "$TESTS/lib.sh"
PARENT='curthread->parent->comm'
# named NAME PROGRAM: PROGRAM, with the name of the parent at hand as `parent`.
named() {
  name=$1
  shift
  run python3 -c 'import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
sys.exit(subprocess.call(sys.argv[2:]))' "$name" "$DTRACE" -q -w -n "inline string parent = stringof($PARENT); $1"
}
for name in 'x;echo evil' '$(echo evil)' '`echo evil`' '|echo evil' "';echo evil;'" '";echo evil;"' '&&echo evil' '>/tmp/evil' '\\' '* ?'; do
  named "$name" 'BEGIN { system("printf %%s. %s", parent); system("printf %%s. \"<%s>\"", parent);
                         system("printf %%s. '"'<%s>'"'", parent); exit(0); }'
  want 0
  same err ''
  [ "$(cat "$work/out")" = "$name.<$name>.<$name>." ] || fail "$name: $(cat "$work/out")"
done
# Where no quoting is safe, the command is not run.
named 'x echo evil' 'BEGIN { system("echo `echo %s`", parent); exit(0); }'
has err "system() does not run 'echo \`echo x echo evil\`'"
same out '\n'
# Text of the script is no data: it may hold commands.
run "$DTRACE" -q -w -n 'BEGIN { system("%s; echo %d %5d|cat", "echo one two; echo 100%", 3, 4); exit(0); }'
want 0
same out 'one two\n100%%\n3 4\n\n'
run "$DTRACE" -q -w -n 'BEGIN { system("%s %s", $$1, "three"); exit(0); }' 'echo one  two'
want 0
same out 'one two three\n\n'
done_testing
