# Variables of a program: at a line of its source, outside of functions, and parameters that are no numbers.
. "$TESTS/lib.sh"
variables=$(copy_of variables)
line_of() { grep -n "// $1" "$TESTS/workloads/variables.c" | cut -d: -f1; }
in_loop='statement("walk@variables.c:'$(line_of 'in the loop')'")'
in_walk='statement("walk@variables.c:'$(line_of 'behind the loop')'")'
in_main='statement("main@variables.c:'$(line_of 'in main')'")'
# at POINT STATEMENT WANTED: the pattern of all that the statement prints at the point in one run of the program.
at() {
  run_undisturbed "$STAP" -e 'probe process("'"$variables"'").'"$1"' { '"$2"' }' -c "${program:-$variables}"
  if [ "$status" != 0 ] || ! grep -Eqx -- "$3" "$work/out" || [ "$(grep -c '' "$work/out")" != 1 ]; then
    fail "$1 { $2 }: wanted $3"
    cat "$work/out" "$work/err"
  fi
}
refuses() {
  run "$STAP" -e 'probe process("'"$variables"'").'"$1"' { '"$2"' }' -c "$variables"
  want 1
  has err "$3"
}
at "$in_loop" 'printf("%d:%d:%d ", $i, $square, $total)' '0:1:0 1:4:1 2:9:5 '
at "$in_walk" 'printf("%d %d %d %d %s", $total, $small, $negative, $calls, user_string($word))' '14 200 -300 101 word'
at "$in_walk" 'print($$parms)' 'node=0x[0-9a-f]+ small=0xc8 negative=0xfffffffffffffed4 word=0x[0-9a-f]+'
at "$in_walk" 'print($$locals)' 'calls=0x65 total=0xe'
at "$in_walk" 'print($$vars)' 'node=0x[0-9a-f]+ small=0xc8 negative=0xfffffffffffffed4 word=0x[0-9a-f]+ calls=0x65 total=0xe'
at "$in_walk" 'print($$locals$)' 'calls=101 total=14'
at "$in_main" 'printf("%s %d %d %s %s", user_string($second->name), $second->at->y, $second->list[1], $second->at$, user_string(&$buffer))' \
  'second -4 2 \{\.x=3, \.y=-4\} buffer'
at "$in_main" 'printf("%s %d %s", user_string($buffer), $large->words[3], user_string($second->next->name))' 'buffer 4 first'
# Of the program, where there is no local variable of that name.
at "$in_walk" 'printf("%d %d %s", $counter, $hidden, user_string($title))' '7 191 the title'
at "$in_walk" 'printf("%d %d %d", @defined($total), @defined($none), @defined($node->none))' '1 0 0'
at "$in_walk" 'n = $node; printf("%d %d %d", n->narrow, n->negative, n->next->negative)' '1 2 -3'
# Bit-fields, by a path and by a cast; types of the program.
at 'function("walk")' 'printf("%d %d %d %d %s", $node->next->narrow, $node->next->negative, $node->next->wide, $node->color, $node->next->at$)' \
  '5 -3 123456789012 6 \{\.x=1, \.y=-2\}'
at 'function("walk")' 'n = $node->next; printf("%d %d", @cast(n, "node")->at->y, @cast(n, "struct node")->negative)' '-2 -3'
# A path may begin where stap is started.
back=$PWD
cd "$(dirname "$variables")" || fail "no directory"
at 'function("walk")' 'n = $node->next; printf("%d", @cast(n, "node", "./'"$(basename "$variables")"'")->at->y)' '-2'
cd "$back" || fail "no way back"
# Outside of functions.
at 'function("mixed")' 'printf("%d %d %d %s %d", @var("counter"), @var("counter@variables.c"), @var("hidden@*/variables.c"), user_string(@var("title")), @var("table")[2])' \
  '7 7 191 the title 30'
at 'function("mixed")' 'printf("%d %s %s %s", @var("head")->negative, @var("head")->at$, user_string(@var("head@variables.c")->next->name), @var("table")$)' \
  '-3 \{\.x=1, \.y=-2\} second \[10, 20, 30, 40\]'
at 'function("mixed")' 'printf("%d %d %d", user_int(&@var("counter")), @defined(@var("counter")), @defined(@var("none")))' '7 1 0'
at 'function("mixed").return' 'printf("%d %d", @entry(@var("counter")), $return)' '7 1'
at 'function("mixed")' 'printf("%d", @var("counter", "'"$variables"'"))' 7
# Parameters that are no numbers.
at 'function("mixed")' 'printf("%d %d", $first, $second)' '-11 12'
at 'function("mixed")' 'print($$parms)' 'half=\? first=0xfffffffffffffff5 quarter=\? second=0xc'
at 'function("mixed")' 'print($$parms$)' 'first=-11 second=12 half=\? quarter=\?'
at 'function("behind")' 'printf("%d", $before)' 1
at 'function("made_of")' 'printf("%d %d", $first, $second)' '21 22'
refuses 'function("mixed")' 'println($half)' "the parameter 'half' is in no register for numbers"
refuses 'function("behind")' 'println($after)' "the parameter 'after' is in no register for numbers"
# Results that are no numbers, or none.
run_undisturbed "$STAP" -e 'probe process("'"$variables"'").function("half_of").return, process("'"$variables"'").function("point_at").return,
  process("'"$variables"'").function("set").return, process("'"$variables"'").function("narrow").return {
  printf("%s %s|%s|%d\n", ppfunc(), $$return, $$return$, @defined($return)) }' -c "$variables"
want 0
same out 'set ||0
half_of return=?|return=?|0
point_at return=?|return={.x=3, .y=4}|0
narrow return=0xfffffffffffffff9|return='"'\\\\371'"'|1\n'
run_undisturbed "$STAP" -e 'probe process("'"$variables"'").function("*@variables.c").return { if (isinstr("half_of set narrow", ppfunc())) println($$return$) }' -c "$variables"
want 0
same out '\nreturn=?\nreturn='"'\\\\371'"'\n'
refuses 'function("half_of").return' 'println($return)' '$return of half_of is in no register for numbers'
refuses 'function("set").return' 'println($return)' 'unable to find $return: set returns nothing'
refuses "$in_walk" 'println($none)' "unable to find local 'none' at process(\"$variables\").statement("
refuses "$in_walk" 'println($node->none)' "unable to find member 'none' for const struct node"
refuses 'function("walk")' 'println($node->at->none)' "unable to find member 'none' for struct point"
refuses "$in_walk" 'println($total->none)' "invalid access '->none' vs. long"
refuses 'function("walk")' 'println(@var("conuter"))' "unable to find global 'conuter' (similar: counter)"
refuses 'function("walk")' 'println(@cast($node, "nodes")->next)' "type definition 'nodes' not found in 'kernel' (similar: node)"
refuses 'function("walk")' 'println(@var("none@variables.c"))' "unable to find global 'none@variables.c'"
at 'function("walk").return' 'printf("%d %d %s", @var("counter"), @defined(@var("none")), user_string(@var("title")))' '7 0 the title'
refuses 'function("walk")' 'println(@var("counter", "/bin/true"))' 'this probe is not in /bin/true'
run "$STAP" -L 'process("'"$variables"'").'"$in_walk"
want 0
has out '$node:const struct node* $small:unsigned char $negative:short $word:const char* $calls:int $total:long'
# Of a program that the compiler has optimized, what is shown is right or ?. The code of the line may begin before the loop.
not_optimized=$variables
variables=$(copy_of variables_optimized)
at "$(echo "$in_walk" | sed 's/walk@/*@/')" 'print($$vars)' \
  'node=0x[0-9a-f]+ small=(0xc8|\?) negative=(0xfffffffffffffed4|\?) word=(0x[0-9a-f]+|\?) (calls=0x64 total=(0x0|\?)|calls=0x65 total=(0xe|\?))'
at 'function("mixed")' 'printf("%d %d", @var("counter"), @var("table")[2])' '7 30'
at "$(echo "$in_walk" | sed 's/walk@/*@/')" 'printf("%d %d", @var("counter"), @var("table")[2])' '7 30'
variables=$not_optimized
at 'function("walk")' 'printf("%d ", @var("counter"))' '7 '
# Functions that were inlined: where they begin, with their own parameters; a line of one.
run_undisturbed "$STAP" -e 'probe process("'"$variables"'").function("twice").inline { printf("%s %d %s\n", ppfunc(), $number, $$parms) }
probe process("'"$variables"'").function("ar*nd").inline { printf("%s %d %d %d\n", ppfunc(), $number, $other, pp() == "process(\"'"$variables"'\").function(\"around\").inline") }
probe process("'"$variables"'").statement("*@variables.c:'"$(line_of 'of twice')"'").nearest { printf("= %d\n", $doubled) }' -c "$variables"
want 0
LC_ALL=C sort -o "$work/out" "$work/out"
same out '= 40
= 42
around 20 50 1
twice 20 number=0x14
twice 21 number=0x15\n'
refuses 'function("walk").inline' '' "no function 'walk' was inlined"
# Of the process of -c.
at_process='printf("%d %d %d %s", $total, @var("counter"), @var("head")->negative, ppfunc())'
run_undisturbed "$STAP" -e 'probe process.'"$in_walk"' { '"$at_process"' }' -c "$variables"
want 0
same out '14 7 -3 walk'
# Two functions of one name: only the one of the line. Where a function begins with the code of one that was inlined, a name
# of both is that of neither. A structure in a register is no number.
not_twins=$variables
variables=$(copy_of twins)
in_twins() { echo 'statement("*@twins.c:'"$(grep -n "// of $1" "$TESTS/workloads/twins.c" | cut -d: -f1)"'")'; }
at "$(in_twins one)" 'printf("%d ", $number)' '10 '
at "$(in_twins added)" 'printf("%d %d", $first, @defined($number))' '10 0'
refuses "$(in_twins sum)" 'println($pair)' "'pair' is in a register, where a value of 'struct pair' is not read"
at "$(in_twins sum)" 'print($$vars)' 'pair=\?'
at 'function("of_enum")' 'printf("%d", $e)' -1
variables=$not_twins
# Nothing says where the variables of a point of dtrace() are.
for point in return 4; do
  run "$STAP" -e 'probe dtrace("pid*:'"$variables"':walk:'$point'") { println($small) }'
  want 1
  has err "unable to find local 'small'"
done
# Threads: the first one of a process is the process.
out=$("$STAP" -e 'global n
probe process("'"$variables"'").thread.begin, process("'"$variables"'").thread.end { n[pn(), tid() != pid()]++ }
probe end { foreach ([point+, other] in n) printf("%s %d %d\n", point, other, n[point, other]) }' -c "$variables thread" 2>&1 | sed 's/.*")//')
case $out in
  '.thread.begin 1 1
.thread.end 1 1') ;;
  *'it has left its program'*) ;;
  *) fail "threads: $out" ;;
esac
done_testing
