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
# Variables of the program, at a mark of two places and at one of one; arguments that a mark does not have.
out=$("$STAP" -e 'global n
probe process("'"$usdt"'").provider("demo2").mark("twice") {
  if (pid() == target()) n[$$name, $arg2, @var("usdt_counter"), @var("usdt_table")[2], @var("usdt_counter@usdt.c")]++
}
probe process.mark("other__forms") { n[$$name, @defined($arg7), @var("usdt_counter"), @var("usdt_table@*usdt.c")[0], @defined(@var("none"))]++ }
probe end { foreach ([a+, b, c, d, e] in n) println(a, " ", b, " ", c, " ", d, " ", e, " ", n[a, b, c, d, e]) }' -c "$usdt" | sed '/^up /d' | sort) || exit 1
[ "$out" = 'other__forms 1 -77 100 0 10
twice 1 -77 300 -77 10
twice 2 -77 300 -77 10' ] || { echo "$out"; exit 1; }
refuses() {
  said=$("$STAP" -e "probe process(\"$usdt\").mark(\"$1\") { $2 }" 2>&1) && { echo "accepted: $2"; exit 1; }
  case $said in *"$3"*) ;; *) echo "$said"; exit 1 ;; esac
}
refuses twice 'println($arg3)' "unable to find local 'arg3'"
refuses twice 'println(int_arg(3))' '(alternatives: $arg1, $arg2)'
refuses twice 'println(user_string($arg9))' "unable to find local 'arg9'"
refuses twice 'println(@var("none"))' "unable to find global 'none'"
out=$("$STAP" -e 'probe process("'"$usdt"'").mark("twice") { if (n++) next println(@defined($arg2), @defined($arg3), @choose_defined($arg4, 7)) } global n' -c "$usdt" | sed '/^up /d')
[ "$out" = 107 ] || { echo "$out"; exit 1; }
# Of one process, by its number, and a provider whose name ends with a digit.
"$usdt" loop > /dev/null &
process=$!
for i in $(seq 200); do [ "$(readlink "/proc/$process/exe")" = "$(readlink -f "$usdt")" ] && break; sleep 0.05; done
out=$("$STAP" -e "probe process($process).provider(\"demo2\").mark(\"twice\") { println(\$\$provider, \" \", @var(\"usdt_counter\"), \" \", @var(\"usdt_table\")[2]) exit() }")
kill "$process"
[ "$out" = 'demo2 -77 300' ] || { echo "$out"; exit 1; }
