# Marks of programs, as sys/sdt.h makes them: each form of argument, patterns, and the provider by its name.
usdt=$BUILD/tests/workloads/usdt
out=$("$STAP" -e 'global n, forms
probe process("'"$usdt"'").mark("every__form") {
  if (!n++) printf("%d %d %d %d %d\n", $arg1, $arg2, $arg3, $arg8, $arg10)
}
probe process("'"$usdt"'").provider("demo").mark("*forms") { forms++ }
probe process("'"$usdt"'").provider("demo2").mark("twice") { sum[$arg2] += $arg1 }
probe process.mark("busy") { text = user_string($arg1) }
global sum, text
probe end { printf("%d %d %d %d %s\n", n, forms, sum[1], sum[2], text) }' -c "$usdt" | sed '/^up /d') || exit 1
[ "$out" = '0 -5 32769 -7 4294967287
10 10 45 45 somebody looks' ] || { echo "$out"; exit 1; }
