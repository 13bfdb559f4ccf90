. "$TESTS/lib.sh"
# strsize counts characters.
run "$DTRACE" -q -x strsize=8 -n 'BEGIN { s = "abcdefghi"; printf("%d %s\n", strlen(s), s); exit(0); }'
want 0
same out '8 abcdefgh\n\n'
run "$DTRACE" -qn 'string all;
BEGIN { all = "0123456789abcdef"; all = strjoin(all, all); all = strjoin(all, all); all = strjoin(all, all);
    all = strjoin(all, all); self->l = strjoin(all, "x"); t[all] = strjoin(all, "x"); this->l = strjoin(all, "x");
    @[strjoin(all, "x")] = count();
    printf("%d %d %d %d\n", strlen(all), strlen(self->l), strlen(t[all]), strlen(this->l)); exit(0); }
END { printa("%s.\n", @); }' 
want 0
printf '256 256 256 256\n' >"$work/wanted_out"
for i in $(seq 1 16); do printf 0123456789abcdef; done >>"$work/wanted_out"
printf '.\n\n' >>"$work/wanted_out"
cmp -s "$work/wanted_out" "$work/out" || fail "not 256 characters: $(cat "$work/out")"
for size in 13 255 257 1k 4095 64k; do
    run "$DTRACE" -q -x strsize=$size -n 'BEGIN { s = strjoin("abc", execname); @[s] = count(); printf("%s\n", toupper(substr(s, 1))); exit(0); } END { trunc(@); }'
    want 0
    same out 'BCDTRACE\n\n'
done
done_testing
