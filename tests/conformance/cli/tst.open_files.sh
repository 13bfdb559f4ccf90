# Few open files are no obstacle where the limit can be raised, and where it cannot, the message names it. Commands
# have the limit of the caller in any case.
. "$TESTS/lib.sh"

many='BEGIN { a[1] = 1; @b[1] = count(); @c[1] = quantize(1); self->d = 1; s = strtok("a b", " "); }
syscall:::entry, proc:::exec, sched:::on-cpu, io:::start, profile-97 { @[probeprov] = count(); }
BEGIN { system("ulimit -Sn; ulimit -Hn"); exit(0); }'

# The soft limit: anybody may raise it.
hard=$(ulimit -Hn)
run sh -c 'ulimit -Sn 20 && exec "$@"' - "$DTRACE" -q -w -n "$many" -n 'END { trunc(@); trunc(@b); trunc(@c); }'
want 0
same err ''
same out "20\n$hard\n\n"
run sh -c 'ulimit -Sn 20 && exec "$@"' - "$DTRACE" -q -n 'syscall:::entry, proc:::exec, io:::start { @ = count(); } END { trunc(@); }' \
  -c "sh -c 'ulimit -Sn; ulimit -Hn'"
want 0
same out "20\n$hard\n\n"

# The hard limit: with CAP_SYS_RESOURCE.
run sh -c 'ulimit -n 20 && exec "$@"' - "$DTRACE" -q -w -n "$many" -n 'END { trunc(@); trunc(@b); trunc(@c); }'
capabilities=$(sed -n 's/^CapEff:[ \t]*//p' /proc/self/status)
if [ $((0x$capabilities >> 24 & 1)) = 1 ]; then
  want 0
  same out '20\n20\n\n'
else
  want 1
  has err 'too many open files; raise the limit (ulimit -n)'
fi
done_testing
