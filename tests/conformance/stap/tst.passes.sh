# -p1, -p2 and -p3 print what a pass has made, and trace nothing; -l and -L list points.
script='global n probe syscall.close { n[execname()] <<< $fd }'
[ "$("$STAP" -p1 -e "$script")" = 'global n
probe syscall.close
{
  (n[execname()] <<< $fd)
}' ] || { echo "-p1"; exit 1; }
[ "$("$STAP" -p2 -e "$script")" = '# globals
n:stats [string]
# probes
syscall.close' ] || { echo "-p2"; exit 1; }
shown=$("$STAP" -p1 -e 'probe begin {' 2>&1) && { echo "-p1: no error"; exit 1; }
case $shown in *'Pass 1: parse failed'*) ;; *) echo "$shown"; exit 1 ;; esac
shown=$("$STAP" -v -p1 -e 'probe begin { no_such_function() }' 2>&1) || { echo "$shown"; exit 1; }
[ "$(echo "$shown" | grep -c '^Pass')" = 1 ] || { echo "$shown"; exit 1; }
timer='global n probe timer.s(9) { n++ }'
kept=$("$STAP" -k -p2 -e "$timer" 2>&1 >/dev/null | sed -n 's/^Keeping temporary directory "\(.*\)"$/\1/p')
for pass in 1:ast 2:typed 3:ir; do
  "$STAP" -p${pass%:*} -e "$timer" | cmp - "$kept/${pass#*:}" || { echo "-k: $pass"; exit 1; }
done
rm -r "$kept"
"$STAP" -p3 -e "$script" | grep -q "as \"syscall:vmlinux:close:entry\" {" || exit 1
[ "$("$STAP" -l 'syscall.close')" = syscall.close ] || { echo "-l"; exit 1; }
[ "$("$STAP" -L 'syscall.close')" = 'syscall.close name:string argstr:string fd:long $fd:unsigned int' ] || { echo "-L"; exit 1; }
"$STAP" -v -e 'probe begin { exit() }' 2>&1 | grep -q '^Pass 5: starting run\.$' || { echo "-v"; exit 1; }
# How many files of the library were read: none, and one that needs no other.
for pair in 'begin 0' 'scheduler.cpu_off 1'; do
  "$STAP" -v -p2 -e "probe ${pair% *} { exit() }" 2>&1 >/dev/null |
    grep -q "^Pass 1: parsed user script and ${pair#* } library scripts using " || { echo "-v: files of the library, $pair"; exit 1; }
done
[ "$("$STAP" -e 'global g probe begin { print(g) print(@1) exit() }' -G g=7 word)" = 7word ] || { echo "-G"; exit 1; }
