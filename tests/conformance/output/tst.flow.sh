# -F indents from a call's entry to its return, also when quiet. What several clauses of the return
# print is within the call: the last one leaves it.
. "$TESTS/lib.sh"
script='syscall::clock_nanosleep:entry /pid == $target/ { self->in = 1; }
  syscall::clock_nanosleep: /self->in/ { trace(42); }
  syscall::clock_nanosleep:return /self->in/ { exit(0); }'
run taskset -c 0 "$DTRACE" -F -n "$script" -c "sleep 0.1"
want 0
same out 'CPU FUNCTION                                 
  0  => clock_nanosleep                              42
  0   | clock_nanosleep:return                       42
  0  <= clock_nanosleep                       

'
run taskset -c 0 "$DTRACE" -qF -n "$script" -c "sleep 0.1"
want 0
same out 'CPU FUNCTION                                 
  0  => clock_nanosleep                       42
  0   | clock_nanosleep:return                42
  0  <= clock_nanosleep                       

'
done_testing
