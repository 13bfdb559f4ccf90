# --set sets an option of dtrace's -x; what means nothing in the language is refused by name.
refuses() {
  wanted=$1
  shift
  said=$("$STAP" "$@" -e 'probe begin { println("ran") exit() }' 2>&1) && { echo "accepted: $*"; exit 1; }
  case $said in
    *ran*) echo "it ran: $*"; exit 1 ;;
    *"$wanted"*) ;;
    *) echo "wanted: $wanted"; echo "$said"; exit 1 ;;
  esac
}
refuses "ERROR: --set bufsiz=1m: Invalid option name
hint: did you mean 'bufsize'?" --set bufsiz=1m
refuses "ERROR: --set bufsize=x: " --set=bufsize=x
said=$("$STAP" -e 'probe begin { }' --set 2>&1) && { echo "accepted: --set"; exit 1; }
case $said in *"option '--set' requires an argument"*) ;; *) echo "without a value: $said"; exit 1 ;; esac
refuses "Invalid value '=1' of option --set: NAME=VALUE is wanted" --set =1
refuses "option 'strsize' means nothing in the SystemTap language: -D MAXSTRINGLEN says how long a string is" --set strsize=64
refuses "'/dev/null' is there, and no recording" --set record=/dev/null
refuses "view needs a global variable with numbers" --set view=n:table
refuses "view: 'table2' is no kind of view" --set view=table2
refuses "option 'base' means nothing in the SystemTap language" --set base=x
refuses "option 'iregs' changes nothing here: registers are no limit" --set iregs=8
refuses "ctfpath" --set ctfpath=x
refuses "--set dump: -p NUM prints what a pass has made" --set dump=ir
refuses "oformat=ctf shows D's records and aggregations" --set oformat=ctf
refuses "oformat=perfscript shows D's records and aggregations" --set oformat=perfscript -p4
refuses "listen needs a global variable with numbers" --set listen

out=$("$STAP" --set setenv=GREETING=hello -e 'probe process.end { if (pid() == target()) exit() }' \
  -c 'sh -c "echo $GREETING from it"' 2>&1)
[ "$out" = "hello from it" ] || { echo "setenv: $out"; exit 1; }
out=$(GREETING=hello "$STAP" --set unsetenv=GREETING -e 'probe begin { }' -c 'sh -c "echo [$GREETING]"' 2>&1)
[ "$out" = "[]" ] || { echo "unsetenv: $out"; exit 1; }

# Firings of one CPU alone, of a command that calls on two.
cpus=$(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2])')
set -- $cpus
[ $# -lt 2 ] || {
  calls="python3 -c 'import os
for cpu in $1, $2: os.sched_setaffinity(0, [cpu]); os.getppid()'"
  script='global on probe syscall.getppid { if (pid() == target()) on[cpu()] = 1 } probe end { foreach ([c+] in on) println(c) }'
  out=$("$STAP" -e "$script" -c "$calls" 2>&1)
  [ "$out" = "$(printf '%s\n%s' "$1" "$2")" ] || { echo "all CPUs: $out"; exit 1; }
  out=$("$STAP" --set cpu="$2" -e "$script" -c "$calls" 2>&1)
  [ "$out" = "$2" ] || { echo "cpu: $out"; exit 1; }
}

# staprun's own comes after that of the file.
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
"$STAP" -p4 -m kept --set setenv=WHO=file -e 'probe begin { }' >/dev/null || exit 1
run=${STAP%stap}staprun
out=$("$run" -c 'sh -c "echo $WHO"' kept.bo 2>&1)
[ "$out" = file ] || { echo "kept: $out"; exit 1; }
out=$("$run" --set setenv=WHO=me -c 'sh -c "echo $WHO"' kept.bo 2>&1)
[ "$out" = me ] || { echo "of staprun: $out"; exit 1; }
"$run" --set listen=auto kept.bo 2>&1 | grep -q "listen needs a global variable with numbers" || { echo "staprun listens"; exit 1; }
exit 0
