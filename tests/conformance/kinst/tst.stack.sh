# @@alone
# @@timeout: 180
# A stack at an instruction begins with the function's caller, wherever in the function it is; where
# the kernel would find something else, there is none.
# Who traces the same function beside it has a frame of a trampoline in its stacks.
. "$TESTS/lib.sh"
writes="$BUILD/tests/workloads/writes"
"$DTRACE" -l -n kinst::vfs_write: >"$work/list" 2>"$work/why" || { tail -n 1 "$work/why"; exit 77; }
at() { # REGEX: the first offset whose instruction matches.
	awk -v regex="$1" 'NR > 1 { offset = $5; sub(/^.*\+0x[0-9a-f]+  /, ""); if ($0 ~ regex) { print offset; exit } }' "$work/list"
}
stacks() { # OFFSET
	run_undisturbed "$DTRACE" -q -c "$writes 5" -n "kinst::vfs_write:$1"' /pid == $target/ { @[stack(2)] = count(); @c[func(caller)] = count(); @d[stackdepth] = count(); }'
	want 0
}
for regex in '^nop' '^sub [$]0x[0-9a-f]+, %rsp' '^mov .*%rax$'; do
	offset=$(at "$regex")
	[ -n "$offset" ] || { fail "nothing is $regex"; continue; }
	stacks "$offset"
	matches out '^ +vmlinux`(ksys_write|__x64_sys_write)\+0x'
	matches out '^ +10$'
	matches out '^  vmlinux`(ksys_write|__x64_sys_write) +10$'
	awk '/\+0x/ { if ($0 ~ /vfs_write|bpf_|trampoline|kprobe|optinsn|ftrace/) exit 1 }' "$work/out" || { fail "frames of the tracer at $offset"; cat "$work/out"; }
done
offset=$(at '^(push %r(bx|bp)|ret)$')
[ -n "$offset" ] || fail "nothing moves the stack pointer"
stacks "$offset"
sed -i '/^$/d' "$work/out"
sed -i 's/ \+/ /g' "$work/out"
same out ' 10\n 0x0 10\n 0 10\n'
done_testing
