#!/bin/sh
# getf() and d_path(): what a process has open, by path.
. "$TESTS/lib.sh"
mkdir "$work/a b"
echo text >"$work/a b/file"
long=$work/long
for i in 1 2 3 4 5 6 7 8 9 10; do long=$long/a-component-with-number-$i; done
mkdir -p "$long"
echo text >"$long/end"

# Prints the path of what each read() of head is about.
cat >"$work/x.d" <<'D'
#pragma D option quiet
#pragma D option strsize=1k
syscall::read:entry
/progenyof($target) && execname == "head" && (this->f = getf(arg0)) != NULL/
{
	@[d_path(&this->f->f_path)] = count();
}
syscall::read:entry
/progenyof($target) && execname == "head" && getf(-1) == NULL && getf(1000000) == NULL/
{
	none++;
}
END
{
	printa("%s\n", @);
	printf("%d\n", none > 0);
}
D

# traced COMMAND: what head read from, and a 1.
traced() {
  run env LC_ALL=C "$DTRACE" -s "$work/x.d" -c "sh -c '$1'"
  want 0
  sed -i -E '/^$|\/lib\/|ld.so.cache|locale/d; s/\[[0-9]+\]/[N]/' "$work/out"
}

traced "head <\"$work/a b/file\""
same out "text\n$work/a b/file\n1\n"
traced "head $long/end"
same out "text\n$long/end\n1\n"
traced "exec 3<\"$work/a b/file\"; rm \"$work/a b/file\"; head <&3"
same out "text\n$work/a b/file (deleted)\n1\n"
traced "echo text | head"
same out "text\npipe:[N]\n1\n"
traced "head </dev/null"
same out "/dev/null\n1\n"
traced "head </proc/self/comm"
matches out '^/proc/[0-9]+/comm$'

# The process's root is the root.
mkdir -p "$work/root/bin"
cat >"$work/y.d" <<'D'
#pragma D option quiet
syscall::getcwd:entry
/progenyof($target) && execname != "sh"/
{
	printf("%s %s\n", d_path(&curthread->fs->pwd), d_path(&curthread->fs->root));
	exit(0);
}
D
run "$DTRACE" -s "$work/y.d" -c "sh -c 'cd /usr/bin && /bin/pwd -P'"
has out "/usr/bin /"
done_testing
