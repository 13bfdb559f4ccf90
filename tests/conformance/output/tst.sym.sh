. "$TESTS/lib.sh"
run "$DTRACE" -q -c "$BUILD/tests/workloads/getppid 1" -n 'syscall::getppid:entry /pid == $target/ { printf("[%a]", caller); @[func(caller)] = count(); @m[mod(caller)] = count(); }'
want 0
matches out '^\[vmlinux`[a-zA-Z_0-9]+\+0x[0-9a-f]+\]'
matches out '^  vmlinux`[a-z_A-Z0-9]+ +1$'
matches out '^  vmlinux +1$'

# In printa(), %a and %A of such a key are the name by which its addresses were joined, not one of the addresses.
run "$DTRACE" -q -c "$BUILD/tests/workloads/getppid 3" -n '
syscall::getppid:entry /pid == $target/ { @[mod(caller), func(caller), umod(ucaller), usym(ucaller)] = count(); }
syscall::getppid:return /pid == $target/ { @[mod(caller), func(caller), umod(ucaller), usym(ucaller)] = count(); }
END { printa("%a|%a|%A|%A|\n", @); printa("%s|%s|%s|%s|\n", @); printa("[%9a] [%-9a] [%a] [%A]\n", @); trunc(@); }'
want 0
matches out '^vmlinux\|vmlinux`[a-zA-Z_0-9]+\|getppid\|getppid`[a-z_A-Z0-9]+\|$'
matches out '^\[  vmlinux\] \[vmlinux`'
grep '|$' "$work/out" | sort | uniq -c | grep -qv '^ *2 ' && { fail '%a is not as %s'; cat "$work/out"; }
done_testing
