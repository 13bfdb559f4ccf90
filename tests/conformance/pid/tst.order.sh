# A function of one instruction is entered before it returns, however the script is written.
# @@timeout: 60
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/one.c" <<'E2'
void lone(void);
void hop(void);
__asm__(".text\n.type lone, @function\nlone: ret\n.size lone, 1\n"
        ".type other, @function\nother: ret\n.size other, 1\n"
        ".type hop, @function\nhop: jmp other\n.size hop, . - hop\n");
int main(void) {
  for (int i = 0; i < 1000; i++) lone(), hop();
  return 0;
}
E2
cc -O1 -o "$work/one" "$work/one.c" || exit 1
for function in lone hop; do
  entry="pid\$target:a.out:$function:entry { self->in = 1; @[\"entered\"] = count(); }"
  first="pid\$target:a.out:$function:0 /self->in/ { @[\"first\"] = count(); }"
  last="pid\$target:a.out:$function:return /self->in/ { @[\"returned\"] = count(); self->in = 0; }"
  for script in "$entry $first $last" "$last $first $entry" "$first $last $entry"; do
    run "$DTRACE" -q -x aggsortkey -c "$work/one" -n "self int in; $script"
    want 0
    [ "$(tr -s ' \n' ' ' <"$work/out")" = ' entered 1000 first 1000 returned 1000 ' ] || { fail "$function: $script"; cat "$work/out"; }
  done
done
done_testing
