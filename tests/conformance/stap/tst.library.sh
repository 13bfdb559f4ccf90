# @@host
# Every variable of every alias of the library can be recorded on this kernel, and functions of the library compute.
lib=$(dirname "$TESTS")/lib/stap
script=
for file in "$lib"/*.stp; do
  for point in $(sed -n 's/^probe \([a-z_.]*\) = .*/\1/p' "$file"); do
    names=$(sed -n "/^probe $point = /,/}/p" "$file" | sed "s/^probe $point = //" | sed -n 's/^[^=]*[ {]\([a-z_]*\) = .*/\1/p')
    script="$script probe $point {"
    for name in $names; do script="$script println($name)"; done
    script="$script }"
  done
done
"$STAP" -p3 -e "$script" > /dev/null || exit 1
out=$("$STAP" -e 'probe begin {
  println(ip_ntop(16777343)) println(MINOR(MKDEV(8, 3))) println(htons(258)) println(usecs_to_string(1500000))
  start_stopwatch("a") stop_stopwatch("a") println(read_stopwatch_s("a")) exit()
}') || exit 1
[ "$out" = '127.0.0.1
3
513
1.500000s
0' ] || { echo "$out"; exit 1; }
