# A pattern means each program that has the point; the first word of a point may be one, too.
W=$BUILD/tests/workloads
fails() { echo "$1"; exit 1; }
# pp() names the program that fired.
said=$("$STAP" -c "$W/family" -e 'probe process("'"$W"'/{fam*,usdt}").function("main") { if (pid() == target()) println(pp()) }' 2>&1) || fails "$said"
[ "$said" = 'process("'"$W"'/family").function("main")' ] || fails "functions: $said"
said=$(PATH=$W:/usr/bin "$STAP" -c "$W/family" -e 'probe process("fam*ly").begin { if (pid() == target()) println(pp(), execname()) }' 2>&1) || fails "$said"
[ "$said" = 'process("'"$W"'/family").beginfamily' ] || fails "begins: $said"
said=$("$STAP" -l 'process("'"$W"'/{family,usdt}").mark("every*")' 2>&1) || fails "$said"
case $said in *usdt*every__form*) ;; *) fails "listed: $said" ;; esac
said=$("$STAP" -c 'sort /etc/hostname -o /dev/null' -e 'global n
probe process("sort").library("libc.so*").function("malloc") { if (pid() == target()) n++ } probe end { println(n > 0) }' 2>&1) || fails "$said"
[ "$said" = 1 ] || fails "libraries: $said"
refuses() {
  said=$("$STAP" -e "$2" 2>&1) && fails "accepted: $2"
  case $said in *"$1"*) ;; *) fails "wanted: $1
$said" ;; esac
}
refuses "no executable matches '/no/such*'" 'probe process("/no/such*").function("main") { }'
refuses "has no function 'no_such_function'" 'probe process("'"$W"'/{family,usdt}").function("no_such_function") { }'
refuses "probe point mismatch (similar: rx, transmit, receive, hard_transmit)" 'probe netdev.no_such { }'
# First words.
said=$("$STAP" -c true -e 'probe sched*.process_exit { if (pid() == target()) println(pn()) } probe sys*.exit_group, nd_sys*.exit_group { if (pid() == target()) println(pn()) }' 2>&1) || fails "$said"
[ "$(echo "$said" | sort -u)" = 'nd_syscall.exit_group
scheduler.process_exit
syscall.exit_group' ] || fails "first words: $said"
refuses "probe point mismatch" 'probe nosuch*.exit_group { }'
# $$parms$ shows what parameters lead to, and returnstr() the result.
said=$("$STAP" -c true -e 'global calls, same
probe syscall.exit_group { if (pid() == target()) println($$parms$, "|", $$vars$$) }
probe kernel.trace("sched_process_exit") { if (pid() == target() && isinstr($$parms$, "p={.thread_info={")) println("tracepoint") }
probe syscall.openat.return { if (pid() == target()) { calls++ same += returnstr(1) == retstr } }
probe end { println(calls > 0, calls == same) }' 2>&1) || fails "$said"
[ "$said" = 'error_code=0|error_code=0
tracepoint
11' ] || fails "parameters: $said"
refuses "in a function, use return_str(format, value)" 'function f:string() { return returnstr(1) } probe syscall.close.return { println(f()) }'
