# What is wrong with a script or a command line is named, and ends with status 1.
refuses() {
  wanted=$1
  shift
  said=$("$STAP" "$@" 2>&1) && { echo "accepted: $*"; exit 1; }
  case $said in
    *"$wanted"*) ;;
    *) echo "wanted: $wanted"; echo "$said"; exit 1 ;;
  esac
}
refuses "semantic error: unresolved function execnam (similar: execname, " -e 'probe begin { println(execnam()) }'
refuses "Pass 1: parse failed." -e 'probe begin {'
refuses "cannot find executable '/no/such'" -e 'probe process("/no/such").begin { }'
refuses "(similar functions: shorten, " -e 'probe process("'"$BUILD/tests/workloads/family"'").function("shortn") { }'
refuses "this point names no program, and there is no -c and no -x" -e 'probe process.function("main") { }'
refuses "hint: there are: demo:every__form" -e 'probe process("'"$BUILD/tests/workloads/usdt"'").mark("every_form") { }'
refuses "does not ask for a library 'libfoo'" -e 'probe process("ls").library("libfoo").function("x") { }'
refuses "no function 'main' was inlined" -e 'probe process("ls").function("main").inline { }'
refuses "use netfilter.ip.*, or netdev.*" -e 'probe netfilter.arp.in { }'
refuses 'hint: name the functions alone: kernel.function("sock_*")' -e 'probe kernel.function("*@net/socket.c") { }'
refuses "copies of inlined functions are not known" -e 'probe kernel.function("vfs_read").inline { }'
refuses "probe point mismatch (similar: function, data, mark, trace, statement)" -e 'probe kernel.functio("vfs_read") { }'
refuses "there is no \$\$args" -e 'probe syscall.read { println($$args) }'
refuses "hint: \$\$parms has the parameters" -e 'probe syscall.read { println($$locals) }'
refuses "embedded code cannot run" -g -e 'function f() %{ %} probe begin { f() }'
refuses "option -i is not supported" -i -e 'probe begin { }'
refuses "A script must be specified."
refuses "missing or unreadable" /no/such/script.stp
refuses "function 'raise' is not available: no signal is sent by a script here" -g -e 'probe begin { raise(9) }'
refuses "option --dyninst is not supported" --dyninst -e 'probe begin { }'
refuses "hint: a script on the command line stands behind -e" 'probe begin { exit() }'
# Of a pattern of the library, what is not there is named.
if ! "$STAP" -l 'ipmib.ReasmReqds' >/dev/null 2>&1; then
  said=$("$STAP" -l 'ipmib.*' 2>&1 >/dev/null) || { echo "ipmib.*: $said"; exit 1; }
  case $said in
    *"left out: ipmib.ReasmReqds: "*) ;;
    *) echo "not said: $said"; exit 1 ;;
  esac
  [ -z "$("$STAP" -l 'ipmib.*' 2>/dev/null | grep -v '^ipmib\.')" ] || { echo "in the list: $said"; exit 1; }
  said=$("$STAP" -v -e 'probe ipmib.* { } probe begin { exit() }' 2>&1)
  case $said in
    *"left out: ipmib.ReasmReqds: "*) ;;
    *) echo "not said with -v: $said"; exit 1 ;;
  esac
fi
refuses "hint: opensnoop is a tool in D: dtrace -s opensnoop" opensnoop
refuses "hint: did you mean the tool in D, dtrace -s opensnoop?" opensnop
refuses "the path of a file is made where an event fires, and not here" -e 'probe begin { println(fullpath_struct_path(task_cwd_path(pid2task(1)))) }'
refuses "hint: the handler of an event can keep the path in a variable" \
  -e 'probe timer.s(1) { t = pid2task(1) println(fullpath_struct_file(t, task_exe_file(t))) }'
# What is wrong at each point of a pattern, and what is wrong in the same way, is said once; with -v, of each.
twice='probe syscall.read, syscall.write { println($nosuch) } probe syscall.read { println($other) }'
said=$("$STAP" -e "$twice" 2>&1) && { echo "accepted: $twice"; exit 1; }
[ "$(echo "$said" | grep -c "^semantic error: unable to find local 'nosuch'")" = 1 ] || { echo "not once: $said"; exit 1; }
[ "$(echo "$said" | sed -n '/^Pass/,$p')" = "Pass 2: analysis failed.  [man error::pass2]
Number of similar error messages suppressed: 2.
Rerun with -v to see them." ] || { echo "no count: $said"; exit 1; }
said=$("$STAP" -v -e "$twice" 2>&1)
[ "$(echo "$said" | grep -c "^semantic error: unable to find local 'nosuch'")" = 2 ] || { echo "-v: $said"; exit 1; }
[ "$(echo "$said" | grep -c "^semantic error: unable to find local 'other'")" = 1 ] || { echo "-v: $said"; exit 1; }
case $said in *suppressed*) echo "-v: $said"; exit 1 ;; esac
# Equal texts are one message.
for verbose in '' -v; do
  said=$("$STAP" $verbose -e 'probe syscall.read, syscall.read { println($nosuch) }' 2>&1)
  [ "$(echo "$said" | grep -c "^semantic error: unable to find local 'nosuch'")" = 1 ] || { echo "equal $verbose: $said"; exit 1; }
  case $said in *suppressed*) echo "equal $verbose: $said"; exit 1 ;; esac
done
# A definition that nothing follows is said.
warns() {
  wanted=$1
  shift
  said=$("$STAP" "$@" -e 'probe begin { exit() }' 2>&1) || { echo "refused: $*: $said"; exit 1; }
  case $said in
    *"$wanted"*) ;;
    *) echo "wanted: $wanted"; echo "$said"; exit 1 ;;
  esac
}
warns "-D MAXACTIONS=5 is not used: nothing here depends on it" -D MAXACTIONS=5
warns "-D MAXACTION=many is not used: a definition is NAME=NUMBER" -D MAXACTION=many
warns "-D MAXSTRINGLEN=32: strings have 64 to 4096 bytes, so 64 are used" -D MAXSTRINGLEN=32
[ -z "$("$STAP" -D MAXACTION=5 -e 'probe begin { exit() }' 2>&1)" ] || { echo "a definition that is followed"; exit 1; }
# C is read, and refused where it is used; an integer or a constant of the kernel is a number.
refuses "hint: task_current()->member reads the current task" -g -e 'function f:long() %{ STAP_RETURN(current->pid); %} probe begin { println(f()) }'
[ "$("$STAP" -g -e 'function unused() %{ %} probe begin { println(%{ ENOENT %} + %{ /* pure */ 40 %}) exit() }')" = 42 ] || { echo "constants of C"; exit 1; }
[ "$("$STAP" -g -p1 -e '%{ #include <x.h> %} function f() %{ int i; %} probe never { }')" = '%{ #include <x.h> %}
function f ()
%{ int i; %}
probe never
{
}' ] || { echo "-p1 of C"; exit 1; }
