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
"$STAP" -p3 -e "$script" | grep -q "as \"syscall:vmlinux:close:entry\" {" || exit 1
[ "$("$STAP" -l 'syscall.close')" = syscall.close ] || { echo "-l"; exit 1; }
[ "$("$STAP" -L 'syscall.close')" = 'syscall.close name:string argstr:string $fd:unsigned int' ] || { echo "-L"; exit 1; }
"$STAP" -v -e 'probe begin { exit() }' 2>&1 | grep -q '^Pass 5: starting run\.$' || { echo "-v"; exit 1; }
[ "$("$STAP" -e 'global g probe begin { print(g) print(@1) exit() }' -G g=7 word)" = 7word ] || { echo "-G"; exit 1; }
