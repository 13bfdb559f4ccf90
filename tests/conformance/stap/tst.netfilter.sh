# @@host
# @@timeout: 60
# Points of netfilter: addresses, ports and flags of a connection and of datagrams, in a network namespace without other packets.
if [ -z "${DT_INSIDE:-}" ]; then
  "$DTRACE" -l -P netfilter >/dev/null 2>&1 || { echo "this kernel attaches no BPF programs to netfilter"; exit 77; }
  DT_INSIDE=1 exec unshare -n sh "$0"
fi
. "$TESTS/lib.sh"
ip link set lo up || exit 1
cat > "$work/talk.py" <<'PYTHON'
import socket
for family, here in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((here, 4444))
    server.listen(1)
    client = socket.create_connection((here, 4444))
    other, _ = server.accept()
    client.sendall(b"x" * 100)
    assert len(other.recv(1000)) == 100
    client.close()
    assert other.recv(1) == b""
    other.close()
    receiver, sender = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family, socket.SOCK_DGRAM)
    receiver.bind((here, 5555))
    sender.bind((here, 6666))
    for n in range(3):
        sender.sendto(b"12345", (here, 5555))
        assert receiver.recv(9) == b"12345"
PYTHON
run "$STAP" -e 'global n, hooks
probe netfilter.ip.local_in {
  if (protocol == ipproto_tcp && dport == 4444) { n[pf, "syn"] += syn n[pf, "fin"] += fin n[pf, "psh"] += psh n[pf, "urg"] += urg n[pf, "rst"] += rst }
  if (protocol == ipproto_udp) printf("%s %d %s:%d %s:%d %d %s%s\n", name, hooknum, saddr, sport, daddr, dport, length, indev_name, outdev_name)
}
probe netfilter.ipv4.post_routing { if (dport == 5555) printf("%s %d %s%s %d\n", name, hooknum, indev_name, outdev_name, family) }
probe netfilter.ip.{pre_routing,local_out,forward} { if (dport == 5555) hooks[name, hooknum]++ }
probe end {
  foreach ([v, what+] in n) printf("%s %s %d\n", v, what, n[v, what])
  foreach ([v, h+] in hooks) printf("%s %d %d\n", v, h, hooks[v, h])
}' -c "python3 $work/talk.py"
want 0
cat > "$work/wanted" <<'TEXT'
ipv4 fin 1
ipv4 psh 1
ipv4 rst 0
ipv4 syn 1
ipv4 urg 0
ipv6 fin 1
ipv6 psh 1
ipv6 rst 0
ipv6 syn 1
ipv6 urg 0
local_in 1 127.0.0.1:6666 127.0.0.1:5555 33 lo
local_in 1 127.0.0.1:6666 127.0.0.1:5555 33 lo
local_in 1 127.0.0.1:6666 127.0.0.1:5555 33 lo
local_in 1 ::1:6666 ::1:5555 53 lo
local_in 1 ::1:6666 ::1:5555 53 lo
local_in 1 ::1:6666 ::1:5555 53 lo
local_out 3 6
post_routing 4 lo 2
post_routing 4 lo 2
post_routing 4 lo 2
pre_routing 0 6
TEXT
LC_ALL=C sort "$work/out" | cmp -s - "$work/wanted" || { fail "packets"; LC_ALL=C sort "$work/out" | diff - "$work/wanted"; cat "$work/err"; }
run "$STAP" -L 'netfilter.ip.*'
has out 'netfilter.ip.local_out name:string pf:string family:long hooknum:long length:long'
done_testing
