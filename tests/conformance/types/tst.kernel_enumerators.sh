# Enumerators of the kernel by their names: the state of a socket that listens is TCP_LISTEN, with and without a
# backquote and a module. What the script, D and its libraries call by such a name is theirs.
. "$TESTS/lib.sh"
cat >"$work/listen.py" <<'END'
import socket
one = socket.socket()
one.bind(("127.0.0.1", 0))
one.listen()
END
run_undisturbed "$DTRACE" -qn 'inline int STATE = ((struct socket *)getf(arg0)->private_data)->sk->__sk_common.skc_state;
  syscall::listen:entry /pid == $target/ { printf("%d ", STATE == TCP_CLOSE); self->fd = arg0 + 1; }
  syscall::listen:return /self->fd/ {
    this->state = ((struct socket *)getf(self->fd - 1)->private_data)->sk->__sk_common.skc_state;
    printf("%d %d %d %d\n", this->state == TCP_LISTEN, this->state == `TCP_LISTEN, this->state == vmlinux`TCP_LISTEN,
      this->state == TCP_ESTABLISHED);
  }' -c "python3 $work/listen.py"
want 0
has out '1 1 1 1 0'

run "$DTRACE" -qn 'BEGIN { printf("%d ", `PIDTYPE_TGID); print(PIDTYPE_TGID); exit(0); }'
want 0
has out '1 enum pid_type PIDTYPE_TGID'

# The order of who may say what a name means.
run "$DTRACE" -qn 'enum own { TCP_CLOSE = 70, OTHER }; inline int TCP_LISTEN = 80; int TCP_SYN_SENT;
  BEGIN { TCP_SYN_SENT = 90; TCP_TIME_WAIT = 100;
    printf("%d %d %d %d, %d %d %d %d\n", TCP_CLOSE, TCP_LISTEN, TCP_SYN_SENT, TCP_TIME_WAIT,
      `TCP_CLOSE, `TCP_LISTEN, `TCP_SYN_SENT, `TCP_TIME_WAIT); exit(0); }'
want 0
has out '70 80 90 100, 7 10 2 6'

# What is assigned later is a variable, not yet assigned here; and a name in small letters is never a constant.
run "$DTRACE" -en 'BEGIN { trace(TCP_LISTEN); } END { TCP_LISTEN = 1; }'
want 1
has err 'failed to resolve TCP_LISTEN: Unknown variable name'
run "$DTRACE" -en 'BEGIN { trace(TCP_LISTNE); }'
want 1
has err "failed to resolve TCP_LISTNE: Unknown variable name"
has err "did you mean 'TCP_LISTEN'?"
run "$DTRACE" -en 'BEGIN { trace(`TCP_LISTNE); }'
want 1
has err 'failed to resolve `TCP_LISTNE: Unknown symbol name'
has err "did you mean '\`TCP_LISTEN'?"
run "$DTRACE" -en 'BEGIN { `TCP_LISTEN = 1; }'
want 1
has err D_OP_LVAL
done_testing
