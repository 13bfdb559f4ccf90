# @@host
# What a script writes itself goes to the terminal as it is: colours, cursors. Control characters in what was recorded are shown.
. "$TESTS/lib.sh"
run "$STAP" -e 'global kept = "\033[4m"
probe begin {
  ansi_set_color(31) print("red") ansi_reset_color()
  printf("\033[1m%c%s%s\n", 27, "[0m", kept)
  text = "\033[5m" . sprintf("\a%d", 7)
  println(text) printdln("\t", "\033", 1)
  system("true") exit()
}'
want 0
printf '\033[31mred\033[0;0m\033[1m\033[0m\033[4m\n\033[5m\0077\n\033\t1\n' > "$work/wanted"
cmp "$work/wanted" "$work/out" || { fail "the script's own characters"; od -c "$work/out"; }
run "$STAP" -e 'probe syscall.chdir {
  if (pid() != target()) next
  path = user_string($filename)
  printf("%s\n", path) println("\033[1m" . path) print(path . "\n") println(strlen(path))
}' -c "python3 -c 'import os
try: os.chdir(\"/\\033[2Jx\")
except OSError: pass'"
want 0
[ "$(cat "$work/out")" = '/\033[2Jx
\033[1m/\033[2Jx
/\033[2Jx
6' ] || { fail "characters of a program"; od -c "$work/out"; }
done_testing
