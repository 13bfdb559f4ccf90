# @@timeout: 120
# Packets at the hooks of netfilter, each counted, and none lost: also where clauses fault, where the buffer is full, where two trace, and
# when a tracer is killed. In a network namespace of its own, so that there are no others.
if [ -z "${DT_INSIDE:-}" ]; then
  "$DTRACE" -l -P netfilter >/dev/null 2>&1 || { echo "this kernel attaches no BPF programs to netfilter"; exit 77; }
  DT_INSIDE=1 exec unshare -n sh "$0"
fi
. "$TESTS/lib.sh"
ip link set lo up || exit 1
cat > "$work/send.py" <<'PYTHON'
import os, socket, sys
# So many, or until there is the file that is named instead.
count = int(sys.argv[1]) if sys.argv[1].isdigit() else 10**9
family = socket.AF_INET6 if sys.argv[2:] == ["6"] else socket.AF_INET
here = "::1" if family == socket.AF_INET6 else "127.0.0.1"
receiver, sender = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family, socket.SOCK_DGRAM)
receiver.bind((here, 0))
receiver.settimeout(20)
sender.connect(receiver.getsockname())
for n in range(count):
    if os.path.exists(sys.argv[1]):
        break
    sender.send(b"%9d" % n)
    assert receiver.recv(99) == b"%9d" % n
print("received", count if count < 10**9 else "all")
PYTHON

# Each packet at each hook, but forward.
run "$DTRACE" -qn 'netfilter:::* { @[probefunc, probename, args[0]->len, args[1]->hook] = count(); }
  END { printa("%s %s %d %d %@d\n", @); }' -x aggsortkey -c "python3 $work/send.py 200"
want 0
cat > "$work/wanted" <<'TEXT'
received 200
ip local-in 37 1 200
ip local-out 37 3 200
ip post-routing 37 4 200
ip pre-routing 37 0 200
TEXT
grep . "$work/out" | cmp -s - "$work/wanted" || { fail "packets"; cat "$work/out" "$work/err"; }
run "$DTRACE" -qn 'netfilter::ip6:local-in { @[args[0]->len] = count(); } END { printa("%d %@d\n", @); }' -c "python3 $work/send.py 50 6"
want 0
has out 'received 50'
has out '57 50'

# A clause that faults, one that leaves early, and one that has no room for its records.
run "$DTRACE" -qn 'netfilter:::local-in { trace(*(int *)0x10); } netfilter:::local-out /0/ { trace(1); }' -c "python3 $work/send.py 50"
has out 'received 50'
has err 'invalid address (0x10)'
run "$DTRACE" -qn 'netfilter:::pre-routing { exit(3); }' -c "python3 $work/send.py 50 > $work/sent"
want 3
run "$DTRACE" -b 4k -x bufresize=manual -x switchrate=1s -qn 'netfilter:::* { tracemem(args[0]->head, 256); }' -o "$work/many" -c "python3 $work/send.py 2000"
has out 'received 2000'

# Two tracers of one hook, and no tracer is left behind by kill -9.
python3 "$work/send.py" "$work/enough" > "$work/sent" &
sender=$!
for _ in 1 2; do
  "$DTRACE" -qn 'BEGIN { printf("goes\n"); } netfilter:::local-in { @ = count(); }' -o "$work/tracer$_" &
  eval "tracer$_=$!"
done
for _ in 1 2; do
  until grep -q goes "$work/tracer$_" 2>/dev/null; do
    kill -0 $tracer1 && kill -0 $tracer2 || { fail "a tracer has ended"; exit 1; }
    sleep 0.05
  done
done
kill -9 $tracer1 $tracer2
wait $tracer1 $tracer2 2>/dev/null
: > "$work/enough"
wait $sender || fail "a packet was lost"
grep -q 'received all' "$work/sent" || fail "packets were lost"
python3 "$work/send.py" 10 | grep -q 'received 10' || fail "a hook was left behind"

# What programs at hooks may not call is named, at its place.
run "$DTRACE" -qn 'netfilter::ip:local-in { stack(); }'
want 1
has err 'netfilter hook ip:local-in: this kernel does not let BPF programs call bpf_get_stack() there'
has err 'error: this needs bpf_get_stack()'
done_testing
