#!/usr/sbin/dtrace -s
#pragma D option quiet
syscall::re*:entry, syscall::[w!]rite*:entry
/pid == $target && (arg0 / 2) > 1 ^^ !self->t/
{
	self->t = timestamp;
	if (x > 1) { trace(1); } else if (y) exit(0); else ;
	@a["x", 1 << 2] = quantize(arg0 ? 'a' : '\n');
	printf("%s\n", stringof((char *)copyinstr(arg0)));
	n += sizeof(struct foo) + offsetof(foo_t, m) + `jiffies + vmlinux`x, --p->q.r[3];
}
