# @@host
# Scripts as people write them: options as inlines, usage, macro arguments, printa().
. "$TESTS/lib.sh"
calls="$BUILD/tests/workloads/getppid"

cat >"$work/count.d" <<'D'
#!/usr/sbin/dtrace -s
/*
 * count.d - counts calls of a name, of a program or of all.
 *
 * USAGE: count.d [call] [limit] [verbose]
 */
#pragma ident	"@(#)count.d	1.0"
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline string CALL = $$1;
inline int LIMIT = $2 ? $2 : 10;
inline int OPT_verbose = $3;
inline int OPT_any = CALL == "";

dtrace:::BEGIN
{
	OPT_verbose ? printf("counting %s\n", OPT_any ? "all" : CALL) : 1;
	printf("%-16s %8s\n", "CALL", "COUNT");
}

syscall:::entry
/pid == $target && (OPT_any || probefunc == CALL)/
{
	@calls[probefunc] = count();
	@ids[probefunc] = max(pid == $target);
	self->seen++;
}

dtrace:::END
{
	trunc(@calls, LIMIT);
	printa("%-16s %@8d\n", @calls);
	printa("%-16s %@8d %@8d\n", @calls, @ids);
	trunc(@ids);
	normalize(@calls, 2);
	printa("%s %@d\n", @calls);
}
D
run "$DTRACE" -s "$work/count.d" -c "$calls 12" getppid 1 1
want 0
same out 'counting getppid\nCALL                COUNT\ngetppid                12\ngetppid                12        1\ngetppid 6\n\n'
run "$DTRACE" -s "$work/count.d" -c "$calls 3" getppid
want 0
same out 'CALL                COUNT\ngetppid                 3\ngetppid                 3        1\ngetppid 1\n\n'

# The time from an entry to its return, by name, with a table that is freed.
cat >"$work/latency.d" <<'D'
#!/usr/sbin/dtrace -qs
syscall:::entry
/pid == $target/
{
	self->ts[probefunc] = timestamp;
	self->calls++;
}

syscall:::return
/self->ts[probefunc] && (this->elapsed = timestamp - self->ts[probefunc]) > 0/
{
	@n[probefunc] = count();
	@ok[errno == 0 ? "ok" : "failed"] = count();
	@least = min(this->elapsed);
	@most = max(this->elapsed);
	self->ts[probefunc] = 0;
}

syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", self->calls > 5 ? "calls" : "no calls");
	self->calls = 0;
}

END
{
	printa("%s %@d\n", @n);
	trunc(@ok); clear(@least); clear(@most);
	printa("%@d %@d\n", @least, @most);
}
D
run "$DTRACE" -qs "$work/latency.d" -c "$calls 5"
want 0
has out 'getppid 5'
has out 'calls'
has out '0 0'

# What is recorded on the way is printed if the call fails.
cat >"$work/fails.d" <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option nspec=4
enum state { IDLE, OPEN };
self enum state state;
self int spec;

syscall::openat:entry
/pid == $target && self->state == IDLE/
{
	self->spec = speculation();
	self->state = OPEN;
	self->path = arg1;
}

syscall::openat:return
/self->state == OPEN/
{
	speculate(self->spec);
	printf("%s: %d\n", copyinstr(self->path), errno);
}

syscall::openat:return
/self->state == OPEN && errno == ENOENT/
{
	commit(self->spec);
}

syscall::openat:return
/self->state == OPEN && errno != ENOENT/
{
	discard(self->spec);
}

syscall::openat:return
/self->state == OPEN/
{
	self->state = IDLE;
	self->spec = 0;
	self->path = 0;
}
D
run "$DTRACE" -s "$work/fails.d" -c 'cat /etc/passwd /nonexistent/file'
has out '/nonexistent/file: 2'
! grep -q '/etc/passwd' "$work/out" || fail "a discarded speculation was printed"
done_testing
