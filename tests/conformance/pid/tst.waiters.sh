# Firings that wait for memory keep what they know while others of that CPU run the same program: the kernel may give
# a program one stack for all of them.
. "$TESTS/lib.sh"
"$DTRACE" --self-test | grep -q 'uprobe.multi  *yes' || { echo "skipped: no uprobe.multi, so programs cannot wait"; exit 77; }
workloads=$BUILD/tests/workloads
run "$DTRACE" -q -c "$workloads/waiters" -n 'pid$target:a.out:await:entry,pid$target:a.out:pass:entry
{ this->a = arg1 + 1000; this->b = arg2 * 3; this->c = arg3 ^ 85; this->d = arg4 + arg1; this->e = tid + arg2; this->f = arg3 * 7;
  this->g = arg4 - arg2; this->h = arg1 * arg4;
  this->name = copyinstr(arg0);
  @[probefunc, this->name, this->a - 1000, this->b / 3, this->c ^ 85, this->d - arg1] = count();
  @wrong = sum(this->e != tid + arg2 || this->f != arg3 * 7 || this->g != arg4 - arg2 || this->h != arg1 * arg4); }
END { printa("got %s %s %d %d %d %d %@d\n", @); printa("wrong %@d\n", @wrong); }'
want 0
same err ''
has out 'wrong 0'
sed -n 's/^want //p' "$work/out" | sort >"$work/wanted"
sed -n 's/^got //p' "$work/out" | sort >"$work/got"
[ -s "$work/wanted" ] || fail 'the program says nothing'
diff "$work/wanted" "$work/got" || fail 'other calls than there were'
exit $bad
