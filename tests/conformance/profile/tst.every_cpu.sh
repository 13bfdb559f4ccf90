. "$TESTS/lib.sh"
# profile fires on every CPU that is busy, with a user address in the busy program.
cpus=$(nproc)
run "$DTRACE" -q -c "$BUILD/tests/workloads/spin $cpus 700" -n 'profile-199 /pid == $target/ { @[cpu] = count(); }'  -n 'profile-199 /pid == $target && arg1 != 0 && arg0 == 0/ { @u = count(); }'
want 0
[ "$(grep -cE '^ +[0-9]+ +[0-9]+$' "$work/out")" = "$cpus" ] || { fail "not every CPU fired"; cat "$work/out"; }
matches out '^ +[0-9]+$'
done_testing
