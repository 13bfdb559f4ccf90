# What events only add to is added to in the kernel. Each script gives the same there and at home: its output, its
# errors, its status. Each process of `seeks` calls lseek(999, offset, SEEK_SET) for offsets in a known order.
seeks="$BUILD/tests/workloads/seeks"
t=$(mktemp -d) || exit 1
trap 'rm -rf "$t"' EXIT

# same WHERE ARGUMENTS...: WHERE is "kernel" or what -p3 says of the handler
same() {
  where=$1
  shift
  "$STAP" -p3 "$@" | grep '^; ' | grep -q "$where" || { echo "not $where: $*"; "$STAP" -p3 "$@" | grep '^; '; exit 1; }
  "$STAP" "$@" >"$t/out" 2>"$t/err"
  status=$?
  "$STAP" -D STAP_HOME=1 "$@" >"$t/home.out" 2>"$t/home.err"
  home=$?
  [ -s "$t/home.out" ] || { echo "nothing is printed: $*"; cat "$t/home.err"; exit 1; }
  cmp "$t/out" "$t/home.out" || { echo "$*"; diff "$t/home.out" "$t/out" | head -20; exit 1; }
  cmp "$t/err" "$t/home.err" || { echo "$*"; diff "$t/home.err" "$t/err" | head -20; exit 1; }
  [ "$status" = "$home" ] || { echo "status $status, at home $home: $*"; exit 1; }
}

# Statistics, what readers ask of them, and the order in which elements were made.
same 'in the kernel' -e 'global s, a, log, lin, unread, nothing
probe syscall.lseek { if (pid() == target()) {
  s <<< $offset  a[execname()] <<< 1  log[$offset & 3] <<< $offset - 50  lin <<< $offset  unread[$offset / 10] <<< $offset
  if (fd == 998) nothing <<< 1
} }
probe end {
  printf("%d %d %d %d %d\n", @count(s), @sum(s), @min(s), @max(s), @avg(s))
  foreach (name in a) printf("%s %d\n", name, @count(a[name]))
  foreach (k in log) printf("%d: %d %d %d\n", k, @count(log[k]), @variance(log[k]), @variance(log[k], 4))
  foreach (k- in log limit 2) print(@hist_log(log[k]))
  foreach (k in log @sum-) printf("%d ", k)
  print(@hist_linear(lin, 5, 93, 10))
  println(@count(nothing))
}' -c "$seeks 1 5000 100"

# Sums, with and without keys; 0 makes an element, too.
same 'in the kernel' -e 'global n, down, a, b, zero, unread
probe syscall.lseek if (pid() == target()) {
  n++  ++n  n += $offset  down -= $offset * 0x123456789abcdef  a[$offset]++  b[execname(), $offset % 7, $fd] += $offset
  zero[$offset % 3] += 0  unread["x", $offset % 2]--
}
probe end {
  printf("%d %d\n", n, down)
  foreach (k in a) printf("%d=%d ", k, a[k])
  foreach ([name, k, fd-] in b) printf("%s %d %d=%d ", name, k, fd, b[name, k, fd])
  foreach (k in zero) printf("%d ", zero[k])
}' -c "$seeks 1 3000 100"

# pp() of one call, also through an alias; of several calls, or by another name, it is made at home.
same 'in the kernel' -e 'global n
probe mine = syscall.{lseek,lseek.return} { }
probe syscall.lseek, syscall.lseek.return, syscall.close, mine { if (pid() == target() && pp() != "syscall.close") n[pp(), execname()]++ }
probe end { foreach ([p, e] in n) printf("%s %s %d\n", p, e, n[p, e]) }' -c "$seeks 1 3000 100"
for point in 'syscall.lsee*' nd_syscall.lseek; do
  same 'it calls pp()' -e "global n probe $point { if (pid() == target()) n[pp()]++ }" -c "$seeks 1 3000 100"
done

# Of several calls, one has no argument of that name, and none has the other.
same 'in the kernel' -e 'global n, none
probe syscall.{lseek,close,getpid} { if (pid() == target()) { n <<< whence  none <<< nosuch } }
probe end { printf("%d %d %d\n", @count(n), @sum(n), @sum(none)) }' -w -c "$seeks 1 3000 100"
"$STAP" -p3 -e 'global n probe syscall.close, syscall.getpid { n <<< fd } probe end { print(@sum(n)) }' >"$t/code"
if grep -q 'arg-1' "$t/code"; then echo "an argument that is not there is read"; grep arg-1 "$t/code"; exit 1; fi

# Expressions and conditions.
same 'in the kernel' -e 'global a, most = 30, word = "seeks"
probe syscall.lseek {
  if (pid() != target() || tid() != pid()) next
  x = $offset
  if (x > most && execname() == word) { who = 1 } else if (!(x % 2)) who = 2
  x *= 3  x++
  a[who, x / 4, x % -5, -x >> 1, (x << 62) + (-x >>> 60), ~x ^ 6 | 1 & x, x >= 90 ? $whence : $fd, execname() < "t", uid(), gid(), "k"] += x
}
probe end { foreach ([i, j, k, l, m, n, o, p, q, r, s] in a) printf("%d %d %d %d %d %d %d %d %d %d %s: %d\n",
  i, j, k, l, m, n, o, p, q, r, s, a[i, j, k, l, m, n, o, p, q, r, s]) }' -c "$seeks 1 3000 50"

# Names of probes as keys and in comparisons, and functions of the script that only compute.
same 'in the kernel' -e 'global a, b, c, s
function twice(x) { return x * 2 }
function both(x, y) { return twice(x) + twice(y) > 40 ? x - y : twice(twice(x + unset)) }
probe syscall.lseek, syscall.{exit_group,brk,mmap,close,write} { if (pid() == target()) {
  n = name
  a[name]++  b[probefunc(), execname(), n] <<< twice(pid() == tid())
  if (n == "lseek" || name < "d" || "x" == probefunc()) c[ppfunc()]++
} }
probe syscall.lseek { if (pid() == target()) s[both($offset, fd - 990)] <<< both(twice($offset), twice(fd)) }
probe end {
  foreach (k in a) printf("%s=%d ", k, a[k])
  foreach ([f, e, n] in b) printf("%s %s %s=%d ", f, e, n, @sum(b[f, e, n]))
  foreach (k- in c) printf("%s=%d ", k, c[k])
  foreach (q in s) printf("%d=%d ", q, @sum(s[q]))
  if ("lseek" in a) delete a["lseek"]
  println("lseek" in a, a["close"] > 0)
}' -c "$seeks 1 3000 50"
same 'it calls f()' -e 'global n function f(x) { return x < 1 ? 0 : f(x - 1) } probe syscall.lseek { n += f(1) } probe end { println("end") }' \
  -c "$seeks 1 10 5"

# A full array: an error where it happened, and nothing behind it counts.
full='global a[50], n, s
probe syscall.lseek { if (pid() == target()) { n++ a[$offset]++ s <<< 1 } }
probe error, end { printf("%d %d\n", n, @count(s)) foreach (k in a) printf("%d=%d ", k, a[k]) }'
same 'in the kernel' -e "$full" -c "$seeks 1 3000 100"
same 'in the kernel' -e "$full" -c "$seeks 1 3000 50"
same 'in the kernel' -D MAXERRORS=100000 -e "$full" -c "$seeks 1 3000 60"

# Division by 0, in the middle of a handler.
zero='global a, n, s
probe syscall.lseek { if (pid() == target()) { n++ a[1000 / ($offset - 40)]++ s <<< 1 } }
probe error, end { printf("%d %d\n", n, @count(s)) foreach (k in a) printf("%d=%d ", k, a[k]) }'
same 'in the kernel' -e "$zero" -c "$seeks 1 3000 100"
same 'in the kernel' -D MAXERRORS=100000 -e "$zero" -c "$seeks 1 3000 100"

# Another event ends the run in the middle.
same 'in the kernel' -e 'global n, a
probe syscall.lseek { if (pid() == target()) { n++ a[$offset]++ } }
probe syscall.getppid { if (pid() == target()) exit() }
probe end { printf("%d %d\n", n, a[7]) }' -c "$seeks 1 3000 100"

# What cannot be done in the kernel is done at home, and -p3 says why.
same "at home: it reads 'n'" -e 'global n probe syscall.lseek { if (pid() == target() && n < 10) n++ } probe end { println(n) }' \
  -c "$seeks 1 100 10"
same "at home: it calls println()" -e 'global n probe syscall.getppid { if (pid() == target()) { n++ println(n) } }' -c "$seeks 1 100 10"
same "at home: the handler of .* uses 'n' at home" -e 'global n, m probe syscall.lseek { if (pid() == target()) n++ }
probe syscall.getppid { if (pid() == target()) m = n } probe end { println(m) }' -c "$seeks 1 100 10"
same "at home: of 'a', which has %" -e 'global a%[10] probe syscall.lseek { if (pid() == target()) a[$offset]++ }
probe end { foreach (k in a) printf("%d=%d ", k, a[k]) }' -c "$seeks 1 100 20"
"$STAP" -v -e 'global n probe syscall.lseek { n++ } probe begin { exit() }' 2>&1 |
  grep -qx 'syscall.lseek at <input>:1:16: in the kernel' || { echo "-v says nothing"; exit 1; }

# What begin prints is there at once, though no record comes.
"$STAP" -e 'global n probe begin { println("ready") } probe syscall.lseek { n++ }' >"$t/ready" &
pid=$!
tries=0
until grep -q ready "$t/ready" || [ "$tries" -ge 300 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
grep -q ready "$t/ready" || { kill -TERM "$pid"; echo "begin's line is not there"; exit 1; }
kill -TERM "$pid"
wait "$pid"

# A timer prints and deletes while two processes fire. What it has printed and what is left is what fired; and no
# firing is seen in one variable and not yet in another.
out=$("$STAP" -D MAXACTION_INTERRUPTIBLE=1000000 -e 'global s, a, n, st, total, at, an, ac, turns, torn
probe syscall.lseek { if ($fd == 999 && (pid() == target() || ppid() == target())) { s <<< 1 a[$offset]++ n += 1 st[$offset % 5] <<< 2 } }
function look() {
  turns++
  x = @count(s)
  total += x
  foreach (k in a) y += a[k]
  at += y
  an += n
  foreach (k in st) { z += @count(st[k]) if (@sum(st[k]) != 2 * @count(st[k])) torn++ }
  ac += z
  if (x != y || x != n || x != z) torn++
  delete s delete a n = 0
  delete st
}
probe timer.ms(10) { look() }
probe end { look() printf("%d %d %d %d, torn %d, %s\n", total, at, an, ac, torn, turns > 2 ? "often" : "never") }' \
  -c "$seeks 2 400000 300" 2>&1)
[ "$out" = "800000 800000 800000 800000, torn 0, often" ] || { echo "of 800000: $out"; exit 1; }
