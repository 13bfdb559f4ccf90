# Registers by their names, where code is stopped: whole, their low parts, signed and not.
. "$TESTS/lib.sh"
family=$(copy_of family)
out=$("$STAP" -e '
probe process("'"$family"'").function("shorten") {
  if (pid() != target()) next
  printf("%d %d %d %d\n", register("edi"), register("si"), u_register("edx") & 0xffff, register("sp") == register("rsp"))
  printf("%d %d\n", u_register("edi") == (register("edi") & 0xffffffff), register("rip") == uaddr())
}
probe process("'"$family"'").function("shorten").return { if (pid() == target()) printf("= %d %u\n", register("eax"), u_register("ax")) }' \
  -c "$family") || exit 1
[ "$out" = '-3 -25536 65529 1
1 1
= 40000 40000
2 5 7 1
1 1
= -3 65533' ] || { echo "registers: $out"; exit 1; }
refuses() {
  wanted=$1
  shift
  said=$("$STAP" "$@" 2>&1) && { echo "accepted: $*"; exit 1; }
  case $said in
    *"$wanted"*) ;;
    *) echo "wanted: $wanted"; echo "$said"; exit 1 ;;
  esac
}
refuses "registers are known at functions, statements and marks of programs" -e 'probe syscall.read { println(register("rdi")) }'
refuses "there is no register 'rdj'" -e 'probe process("'"$family"'").function("shorten") { println(register("rdj")) }'
refuses "the name of a register must be a literal" -e 'probe process("'"$family"'").function("shorten") { s = "rdi" println(register(s)) }'
