#pragma D option quiet
inline int add[int a, int b] = a + b;
inline string state[int s] = s == 0 ? "zero" : s == 1 ? "one" : "many";
inline int TWO = 2;
inline int quad[int x] = add[x, x] + add[x, x];
struct out { int pid; string name; char comm[16]; int twice; struct inner { long a; } in; };
translator struct out < struct task_struct *T > {
	pid = T->tgid;
	name = T->comm;
	comm = T->comm;
	twice = T->tgid * TWO;
};
struct pair { int x; int y; };
translator struct pair < struct out *O > { x = O->pid; };
translator struct pair < int N > { x = N; y = N + 1; };
inline struct out *me = xlate <struct out *> (curthread);
BEGIN
{
	printf("%d %s %s %s\n", add[1, TWO], state[0], state[pid == 0], state[5]);
	printf("%d\n", quad[n++ + 3]);
	printf("n %d\n", n);
	printf("%d\n", (me->pid == pid) + 10 * (xlate <struct out *> (curthread)->twice == 2 * pid));
	printf("%s %s\n", me->name, xlate <struct out> (curthread).comm);
	printf("%d %d\n", xlate <struct pair> (pid).x == pid, xlate <struct pair *> (4)->y);
	printf("%d %d\n", me == NULL, me ? 1 : 2);
	printf("%d\n", (*me).pid == pid);
	exit(0);
}
