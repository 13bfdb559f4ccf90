# @@host
# Every variable of every alias of the library can be recorded on this kernel, and functions of the library compute.
# Aliases of functions of the kernel are in tst.functions.sh. Points of programs of
# which none may be installed are optional.
lib=$(dirname "$TESTS")/lib/stap
script=
for file in "$lib"/*.stp; do
  case $(basename "$file") in hotspot* | php* | postgres* | python* | ruby*) optional='?' ;; *) optional= ;; esac
  for point in $(sed -n 's/^probe \([a-z_.]*\) = .*/\1/p' "$file"); do
    grep -q "^probe $point = kernel.function" "$file" && continue
    # The body ends with a "}" at the beginning of a line, or with that of its only line.
    names=$(sed -n "/^probe $point = .*}\$/{p;q}; /^probe $point = /,/^}/p" "$file" | sed "s/^probe $point = //" |
      sed -n 's/^[^=]*[ {]\([a-z_]*\) = .*/\1/p')
    # What a macro of the file makes is listed.
    grep -q "^probe $point = .*{ @" "$file" && names=$("$STAP" -L "$point" | tr ' ' '\n' | sed -n 's/^\([a-z_]*\):.*/\1/p')
    script="$script probe $point $optional {"
    for name in $names; do script="$script println($name)"; done
    script="$script }"
  done
done
"$STAP" -p3 -e "$script" > /dev/null || exit 1
# Every function of the index is where the index says.
calls=$(sed 's/ .*//' "$lib/index.txt" | grep -v '^__' | grep -c .)
[ "$calls" -gt 50 ] || { echo "only $calls functions"; exit 1; }
out=$("$STAP" -e 'probe begin {
  println(ip_ntop(16777343)) println(MINOR(MKDEV(8, 3))) println(htons(258)) println(usecs_to_string(1500000))
  println(rlimit_from_str("RLIMIT_NOFILE")) println(tcp_sockstate_str(10)) println(sock_fam_str2num("INET6"))
  println(format_ipaddr(16777343, 2)) println(htonll(1) == 1 << 56)
  qsq_start("q") qs_wait("q") qs_run("q") qs_done("q") println(qsq_service_time("q", 0))
  start_stopwatch("a") stop_stopwatch("a") println(read_stopwatch_s("a")) exit()
}') || exit 1
[ "$out" = '127.0.0.1
3
513
0m1.500000s
7
TCP_LISTEN
10
127.0.0.1
1
0
0' ] || { echo "$out"; exit 1; }
