# A program reads metrics that a script counts: prometheus and the macros for its lines.
# @@timeout: 60
. "$TESTS/lib.sh"
[ -c /dev/fuse ] || { echo "no /dev/fuse"; exit 77; }
run "$STAP" -m metrics_$$ -e 'global calls, sizes, many, none
probe prometheus {
  @prometheus_dump_array1(calls, "calls_total", "name")
  @prometheus_dump_array2(sizes, "bytes_total", "pid", "file")
  @prometheus_dump_array9(many, "nine", "a", "b", "c", "d", "e", "f", "g", "h", "i")
  @prometheus_dump_array1(none, "none", "n")
}
probe begin {
  calls["read"] = 5 calls["a\"b\\c\nd"] = -1
  sizes[12, "x y"] = 1099511627776
  many[1, "2", 3, "4", 5, "6", 7, "8", 9] = 10
  if (0) none[1] = 1
  system("cat /var/tmp/systemtap-$(id -un)/metrics_'$$'/prometheus")
  exit()
}'
want 0
cat >"$work/wanted" <<'EOF'
calls_total{name="read"} 5
calls_total{name="a\"b\\c\nd"} -1
bytes_total{pid="12",file="x y"} 1099511627776
nine{a="1",b="2",c="3",d="4",e="5",f="6",g="7",h="8",i="9"} 10
EOF
cmp -s "$work/wanted" "$work/out" || { fail "the page"; diff "$work/wanted" "$work/out"; }
# More than a string can have: the page has its own length.
run "$STAP" -m metrics_$$ -e 'global a[2000]
probe prometheus { @prometheus_dump_array1(a, "a_metric_with_a_name", "key") }
probe begin { for (i = 0; i < 2000; i++) a[i] = i system("cat /var/tmp/systemtap-$(id -un)/metrics_'$$'/prometheus | tail -n 1") exit() }'
want 0
same out 'a_metric_with_a_name{key="1999"} 1999\n'
run "$STAP" -e 'global a probe prometheus { @prometheus_dump_array2(a, "name", "key") }'
want 1
has err "too few parameters for macro '@prometheus_dump_array2' (expected 4)"
run "$STAP" -e 'global a probe prometheus { @prometheus_dump_array2(a, "name", "x", "y") } probe begin { a[1] = 2 }'
want 1
has err "inconsistent arity"
run "$STAP" -l prometheus
same out 'prometheus\n'
done_testing
