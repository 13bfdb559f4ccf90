# Memory that a handler reads is that of the moment when the probe fired; what cannot be recorded is refused.
script=$(cat <<'S'
function tgid_of(t) { return @cast(t, "task_struct", "kernel")->tgid }
function parent(t) { return @cast(t, "task_struct")->real_parent }
probe begin { printf("%d %d\n", &@cast(0, "int")[3], &@cast(0, "task_struct")[1] > 2000) }
probe kernel.trace("sched_process_exit") {
  t = task_current()
  if (t->tgid != target()) next
  printf("%d %d %d\n", tgid_of(t) == pid(), t->pid == tid(), tgid_of(parent(t)) == ppid())
  printf("%d %d\n", parent(t)->tgid == ppid(), @cast(parent(t), "task_struct")->tgid == ppid())
  for (i = 0; t->comm[i] != 0; i++) printf("%c", t->comm[i])
  printf(" %s %s %s %s\n", kernel_string(t->comm), kernel_string_n(&t->comm[0], 2), task_execname($p), task_execname(task_parent(t)) == "" ? "" : "parent")
  printf("%d %d %d\n", t->in_execve, $p->exit_code >> 8, $p->comm[i - 1])
  printf("%d %d\n", @kderef(4, &t->tgid) == pid(), kernel_int(&t->tgid) == pid())
  if (pid() > 0) q = t; else q = $p
  printf("%d\n", q->tgid == pid())
  println($p->se->load$)
  try { println(@cast(0, "task_struct")->pid) } catch (m) { println(m) }
}
S
)
sh=$("$STAP" -c 'sh -c "exit 3"' -e "$script") || exit 1
# The load of a process follows from its priority (nice).
sh=$(echo "$sh" | sed 's/weight=[0-9]*/weight=N/g')
wanted='12 1
1 1 1
1 1
sh sh sh sh parent
0 3 104
1 1
1
{.weight=N, .inv_weight=N}
kernel read fault [man error::fault] at 0x'
case $sh in "$wanted"*) ;; *) echo "$sh"; exit 1 ;; esac
refuses() {
  said=$("$STAP" -e "$2" 2>&1) && { echo "accepted: $2"; exit 1; }
  case $said in *"$1"*) ;; *) echo "wanted: $1"; echo "$said"; exit 1 ;; esac
}
refuses "this address follows from no value of the probe alone" 'global g probe syscall.close { println(@cast(g, "task_struct")->pid) }'
refuses "this address follows from no value of the probe alone" 'probe syscall.close { for (i = 0; i < 3; i++) println(kernel_int(task_current() + i)) }'
refuses "memory of a program is read when an event fires, and not here" 'probe begin { println(user_string(5)) }'
# Handlers of the session read the kernel's memory as it is when they run, at an address from anywhere.
said=$("$STAP" -c true -e 'global uts
probe syscall.exit_group { if (pid() == target()) uts = task_current()->nsproxy->uts_ns }
function node:string(n) { return kernel_string(@cast(n, "uts_namespace")->name->nodename) }
probe end {
  println(node(uts))
  printf("%d %d\n", @cast(uts, "uts_namespace")->name->nodename[0] == stringat(node(uts), 0), strlen(@cast(uts, "uts_namespace")->name$) > 50)
  try { println(kernel_long(8)) } catch (message) { println(message) }
  try { println(kernel_string(0x123456789)) } catch (message) { println(message) }
}' 2>&1) || { echo "$said"; exit 1; }
[ "$said" = "$(cat /proc/sys/kernel/hostname)
1 1
kernel read fault [man error::fault] at 0x8 near identifier 'kernel_long' at <input>:7:17
kernel string copy fault at 0x123456789 [man error::fault] near identifier 'kernel_string' at <input>:8:17" ] || { echo "at home: $said"; exit 1; }
refuses "type definition 'task_strct' not found in 'kernel' (similar: task_struct): operator '@cast'" 'probe syscall.close { println(@cast($fd, "task_strct")->x) }'
refuses "type definition 'struct task_strct *' not found in 'kernel' (similar: task_struct)" 'probe syscall.close { println(@cast($fd, "struct task_strct *")->x) }'
refuses "unable to find member 'tgidd' for struct task_struct (alternatives: tgid, " 'probe syscall.close { println(task_current()->tgidd) }'
refuses "type definition 'no_such' not found in 'kernel'" 'probe syscall.close { println(@cast($fd, "no_such")->x) }'
refuses "unable to find member 'no_such' for struct task_struct" 'probe syscall.close { println(task_current()->no_such) }'
refuses "unknown type in dereference: operator '->'" 'probe syscall.close { x = 5 println(x->y) }'
refuses "'in_execve' is a bit-field, which has no address" 'probe syscall.close { println(&task_current()->in_execve) }'
# At a probe of a program, a variable of the program is meant.
program="$BUILD/tests/workloads/family"
unknown="unable to find global 'jiffies"
refuses "$unknown" "probe process(\"$program\").function(\"main\") { println(@var(\"jiffies@family.c\")) }"
refuses "$unknown" "probe process(\"$program\").function(\"main\") { println(@var(\"jiffies\")) }"
refuses "this probe is not in $program" "probe syscall.close { println(@var(\"jiffies\", \"$program\")) }"
refuses "unable to find global 'no_such'" "probe process(\"$program\").function(\"main\") { println(@var(\"no_such\", \"kernel\")) }"
said=$("$STAP" -e "probe process(\"$program\").function(\"main\") { if (pid() == target()) println(@choose_defined(@var(\"jiffies\"), 7)) }" \
  -c "$program" 2>/dev/null) || { echo "choose_defined: $said"; exit 1; }
[ "$said" = 7 ] || { echo "choose_defined: $said"; exit 1; }
refuses "unable to find global 'no_such'" 'probe syscall.close { println(@var("no_such")) }'
# Numbers of a program; at NULL there are none, and the firing counts.
[ "$("$STAP" -c true -e 'probe syscall.exit_group { if (pid() == target()) { printf("%d %d %d\n", user_int($error_code), user_uint8(uaddr_of()), $error_code) } } function uaddr_of() { return 0 }')" = '0 0 0' ] || { echo "numbers at NULL"; exit 1; }
