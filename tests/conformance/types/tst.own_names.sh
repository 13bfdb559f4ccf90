# @@host
# What a script calls like a type of the kernel, of D or of a library is its own: what is built in and the
# libraries mean theirs.
. "$TESTS/lib.sh"
run "$DTRACE" -qn 'struct task_struct { int tgid; }; struct signal_struct { int x; }
  ; BEGIN { printf("%d %d %d\n", pid == $pid, curpsinfo->pr_pid == $pid, sizeof (struct task_struct)); exit(0); }'
want 0
has out '1 1 4'

run "$DTRACE" -qn 'typedef char pid_t; typedef char uint64_t; typedef short id_t;
  BEGIN { printf("%d %d %d\n", pid == $pid, ppid == $ppid, sizeof (pid_t)); 
    printf("%d %d %d\n", sizeof (timestamp), sizeof (tid), sizeof (uint64_t)); exit(0); }'
want 0
has out '1 1 1'
has out '8 4 1'

exec 9<"$0"
run "$DTRACE" -qn 'struct file { char pad[3]; unsigned f_flags; long f_pos; }; struct path { int a; }; struct inode { int a; };
  struct dentry { int a; }; struct mount { int a; }; struct fs_struct { int a; }; struct mm_struct { int a; };
  BEGIN { printf("%d %x [%s] [%s] %d\n", sizeof (struct file), fds[9].fi_oflags, fds[9].fi_pathname, cwd,
    strlen(execargs) > 10); exit(0); }'
want 0
has out "16 8000 [$(readlink /proc/self/fd/9)] [$PWD] 1"

# Nor are those of a library in the way, whether it has been read or not.
for uses in '' 'io:::start { trace(args[0]->b_bcount); }'; do
  run "$DTRACE" -qn "$uses"' struct bufinfo { short x; }; typedef struct bufinfo mine_t;
    BEGIN { printf("%d %d\n", sizeof (mine_t), sizeof (bufinfo_t) > 40); exit(0); }'
  want 0
  has out '2 1'
done
done_testing
