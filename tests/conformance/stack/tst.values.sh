# Stacks and symbols as values: in variables of each kind, as keys of arrays and of aggregations, printed by a
# later probe. They show what is shown where they are recorded at once.
. "$TESTS/lib.sh"
frames="$BUILD/tests/workloads/frames"

# The same at the entry, and held until the return.
run "$DTRACE" -q -c "$frames" -n 'syscall::getppid:entry /pid == $target/ {
	self->user = ustack(8); self->kernel = stack(2); held[tid] = ustack(8); this->user = ustack(8);
	printf("U%kK%kC%k", ustack(8), stack(2), this->user);
}
syscall::getppid:return /pid == $target/ { printf("U%kK%kC%kH%k", self->user, self->kernel, self->user, held[tid]); exit(0); }'
want 0
for name in outer middle inner; do matches out "^frames\`$name\+0x[0-9a-f]+\$"; done
python3 - "$work/out" <<'E2' || fail 'a held stack is not what it was'
import re, sys
parts = re.findall(r'^([UKCH])\n((?:\S+\+0x\w+\n)+)', open(sys.argv[1]).read(), re.M)
assert [name for name, _ in parts] == list('UKCUKCH'), parts
by = {}
for name, text in parts:
    by.setdefault('K' if name == 'K' else 'U', set()).add(text)
assert len(by['U']) == 1 and len(by['K']) == 1, by
assert 'vmlinux`' in min(by['K']) and 'frames`' in min(by['U'])
E2

# A thread that has kept none yet, and the most frames.
run "$DTRACE" -q -c "$frames" -n 'syscall::getppid:return /pid == $target/ { self->most = ustack(100); }
syscall::getppid:entry /pid == $target/ { @[self->most] = count(); }'
want 0

# As keys: of an array, and of an aggregation, where it is the same key as a stack that is recorded at once.
run "$DTRACE" -q -c "$frames" -n 'syscall::getppid:entry /pid == $target/ {
	self->user = ustack(8); seen[ustack(8), 1]++; @["same", ustack(8)] = sum(1); }
syscall::getppid:return /pid == $target/ {
	@["same", self->user] = sum(1); @["turn", self->user] = sum(seen[self->user, 1]);
	@["none", self->user] = sum(seen[self->user, 2]); }
END { printa("%s %@d\n", @); }'
want 0
same out 'none 0\nsame 6\nturn 6\n\n'

# Symbols: of a program, of the kernel, and numbers that are names.
run "$DTRACE" -q -c "$frames" -n 'syscall::getppid:entry /pid == $target/ {
	self->symbol = usym(ucaller); self->module = umod(ucaller); kernel = sym(`do_exit); where = errname(2);
	by[usym(ucaller)]++; names[kernel] = where; }
syscall::getppid:return /pid == $target && n++ == 2/ {
	printf("%A %a %s %s %d %a %s %s\n", self->symbol, self->symbol, self->symbol, self->module, by[self->symbol], kernel,
	    where, names[sym(`do_exit)]);
	@[kernel, self->symbol, where] = count(); printa("%a %A %s %@d\n", @); exit(0); }'
want 0
matches out '^frames`middle\+0x[0-9a-f]+ frames`middle\+0x[0-9a-f]+ frames`middle frames 3 vmlinux`do_exit ENOENT ENOENT$'
matches out '^vmlinux`do_exit frames`middle ENOENT 1$'

# One that was never set has no frames; 0 frees an element.
run "$DTRACE" -qn 'BEGIN { never = 0; if (never) { s = ustack(4); a[1] = stack(2); u[1] = usym(1); }
	printf("[%k] [%k] [%A]\n", s, a[1], u[1]); a[1] = stack(2); a[1] = 0; s = 0; u[1] = 0; printf("[%k]", a[1]); exit(0); }'
want 0
same out '[\n] [\n] [0x0]\n[\n]\n'

# JSON lines, and an aggregation of stacks of both kinds.
run "$DTRACE" -q -x oformat=jsonl -c "$frames" -n 'syscall::getppid:entry /pid == $target/ { self->u = ustack(3); self->k = stack(2); }
syscall::getppid:return /pid == $target/ { printf("%k", self->u); @[self->u] = count(); @[self->k] = count(); exit(0); }'
want 0
has out '"name":"self->u","type":"ustack","value":[{"address":'
has out '"symbol":"inner"'
has out '"module":"vmlinux"'

# A variable has one kind of stack, and no other operator takes one.
run "$DTRACE" -qn 'BEGIN { s = ustack(3); s = ustack(4); }'
want 1
has err 'a variable holds stacks of one kind and length'
run "$DTRACE" -qn 'BEGIN { s = ustack(3); exit(s == s); }'
want 1
has err 'D_OP_INCOMPAT'
done_testing
