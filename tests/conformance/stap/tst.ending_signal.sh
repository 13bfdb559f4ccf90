# The signal that ends a process is that of signal.handle, though the kernel then delivers SIGKILL.
. "$TESTS/lib.sh"
cat >"$work/ends" <<'EOF'
sh -c 'kill -USR1 $$'
sh -c 'kill -KILL $$'
sh -c 'trap : USR2; kill -USR2 $$'
true
EOF
run "$STAP" -e 'probe signal.handle { if (ppid() == target()) printf("%s %d\n", sig_name, sig) }' -c "sh $work/ends"
same out 'SIGUSR1 10\nSIGKILL 9\nSIGUSR2 12\n'
done_testing
