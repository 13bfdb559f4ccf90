# @@host
# procfs("path"): programs read what a script says at that moment, and write what it is told.
. "$TESTS/lib.sh"
[ -c /dev/fuse ] || { echo 'no /dev/fuse'; exit 77; }
module=dt_files_$$
files=/var/tmp/systemtap-$(id -un)/$module
script='
global n, told, most = 10
probe begin { println(module_name()) println("ready") }
probe procfs("count").read { n++ $value = sprintf("%d\n", n) }
probe procfs("told").write { told = told . "<" . $value . ">" }
probe procfs("told").read { $value = told . "\n" }
probe procfs("limits/most").umask(0).read { $value = sprint(most) }
probe procfs("limits/most").umask(0022).write { most = strtol($value, 10) }
probe procfs("who").umask(0).read {
  $value = sprintf("%s %d %d %d %s", execname(), uid(), gid(), pid() == tid(), pp()) }
probe procfs("long").read.maxsize(3000) { for (i = 0; i < 100; i++) $value .= "0123456789" }
probe procfs("short").read { for (i = 0; i < 100; i++) $value .= "0123456789" }
probe procfs("lines").maxsize(2000).read { foreach (x in lines) $value .= x . "\n" }
global lines
probe procfs.write { lines[substr($value, 0, strlen($value) - 1)] = 1 if ($value == "end\n") exit() }
probe procfs("part").read { if (n < 0) $value = "never" }
probe end { println(told) }
'
"$STAP" -m $module -e "$script" > "$work/out" 2> "$work/err" &
stap=$!
are_same() { [ "$1" = "$2" ] || fail "'$1' instead of '$2'"; }
is_ready() { grep -q ready "$work/$1"; }
until_true 30 is_ready out
are_same "$(head -1 "$work/out")" $module
are_same "$(stat -c '%A' $files/count $files/told $files/limits/most $files/command | tr '\n' ' ')" \
  '-r-------- -rw------- -rw-r--r-- --w------- '
are_same "$(ls $files | tr '\n' ' ')" 'command count limits lines long part short told who '
are_same "$(cat $files/count; cat $files/count)" "$(printf '1\n2')"
# One text for each time that it is opened, also where it is read byte by byte; and again from its beginning.
are_same "$(dd if=$files/count bs=1 status=none)" 3
are_same "$(python3 -c "
import os
a, b = os.open('$files/count', os.O_RDONLY), os.open('$files/count', os.O_RDONLY)
print(os.read(b, 9), os.read(a, 9), os.read(a, 9), os.pread(a, 9, 0), os.pread(b, 9, 1))")" "b'4\\n' b'5\\n' b'' b'5\\n' b'\\n'"
printf 'one' > $files/told
printf 'two' >> $files/told
are_same "$(cat $files/told)" '<one><two>'
are_same "$(cat $files/limits/most)" 10
echo 25 > $files/limits/most
are_same "$(cat $files/limits/most)" 25
are_same "$(cat $files/who)" "cat $(id -u) $(id -g) 1 procfs(\"who\").umask(0).read"
are_same "$(cat $files/long | wc -c)" 1000
are_same "$(cat $files/short | wc -c)" 511
are_same "$(cat $files/part)" ''
# Longer than a string: in parts, none of which is lost.
head -c 1200 /dev/zero | tr '\0' x > $files/told
are_same "$(cat $files/told | wc -c)" 511
cat $files/command 2> /dev/null && fail 'a file without a read probe was read'
{ chmod 777 $files/count || touch $files/new || rm $files/count || mkdir $files/d; } 2> /dev/null && fail 'changed'
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  setpriv --reuid 65534 --regid 65534 --clear-groups cat $files/count 2> /dev/null && fail 'read by another user'
  are_same "$(setpriv --reuid 65534 --regid 65534 --clear-groups cat $files/limits/most)" 25
fi
echo apple > $files/command
echo pear > $files/command
are_same "$(cat $files/lines | tr '\n' ' ')" 'apple pear '
echo end > $files/command
wait $stap || { fail "status $?"; cat "$work/err"; }
[ -s "$work/err" ] && { fail messages; cat "$work/err"; }
[ -e $files ] && fail 'the directory is left'
# What is killed leaves nothing, and who reads gets an error.
"$STAP" -m $module -e 'probe begin { println("ready") } probe procfs("x").read { $value = "x" }' > "$work/killed" 2>&1 &
stap=$!
until_true 30 is_ready killed
are_same "$(cat $files/x)" x
exec 9< $files/x
kill -KILL $stap
wait $stap 2> /dev/null
cat <&9 > /dev/null 2>&1 && fail 'a file of a run that is gone was read'
exec 9<&-
until_true 30 [ ! -e $files ]
# An error of a handler ends the run; the reader gets one, too. A handler may run a command that reads a file.
run "$STAP" -m $module -e '
probe begin { system("cat '$files'/a '$files'/b") }
probe procfs("a").read { $value = "from a\n" }
probe procfs("b").read { error("no b") }'
want 1
has out 'from a'
has err 'ERROR: no b'
has err 'b: Input/output error'
# Two runs of one name.
"$STAP" -m $module -e 'probe begin { println("ready") } probe procfs("x").read { }' > "$work/first" 2>&1 &
stap=$!
until_true 30 is_ready first
run "$STAP" -m $module -e 'probe begin { println("never") } probe procfs("x").read { }'
want 1
has err "mkdir of $files: File exists"
kill -TERM $stap
wait $stap
# What a file counts is what events have counted by then.
"$STAP" -m $module -e '
global calls, on
probe begin { println("ready") }
probe procfs("on").write { on = strtol($value, 10) }
probe procfs("calls").read { $value = sprintf("counted %d\n", calls["dd"] >= 1000) }
probe syscall.read { if (on) calls[execname()]++ }' > "$work/counts" 2>&1 &
stap=$!
until_true 30 is_ready counts
echo 1 > $files/on
dd if=/dev/zero of=/dev/null bs=1 count=1000 2> /dev/null
are_same "$(cat $files/calls)" 'counted 1'
kill -TERM $stap
wait $stap
done_testing
