# @@host
# A loop goes over a list in memory: what its first 32 turns read is recorded, and more of them are an error.
. "$TESTS/lib.sh"
lists=$(copy_of lists)
point='probe process("'"$lists"'").function("length")'
run "$STAP" -e "$point"' { for (n = $first; n; n = n->next) printf("%d %s,", n->value, user_string(n->name)) println("") }' -c "$lists 4"
want 0
same out '1 n1,2 n2,3 n3,4 n4,
'
run "$STAP" -e "$point"' { n = $first while (n) { sum += n->value n = n->next } println(sum) }' -c "$lists 32"
want 0
same out '528
'
# Nothing is shown that was not recorded; the loop may end before.
run "$STAP" -e "$point"' { n = $first try { while (n) { sum += n->value n = n->next } } catch (m) { println(sum, " ", substr(m, 0, 12)) } }' -c "$lists 40"
want 0
same out '528 memory at 0x
'
run "$STAP" -e "$point"' { for (n = $first; n && i < 3; n = n->next) i++ println(i, " ", n->value) }' -c "$lists 40"
want 0
same out '3 4
'
run "$STAP" -e "$point"' { println($first ? "a" : "no", " list") }' -c "$lists 0"
want 0
same out 'no list
'
# The kernel's memory, through a function of the library.
run "$STAP" -e 'probe syscall.exit_group { if (pid() != target()) next
  for (t = task_current(); task_pid(t) > 1; t = task_parent(t)) tasks++
  println(tasks > 1, " ", task_pid(t)) }' -c true
want 0
same out '1 1
'
# Two lists at once, and a pointer that is followed twice in a turn.
run "$STAP" -e "$point"' { a = $first b = $first while (b && b->next) { a = a->next b = b->next->next } println(a->value) }' -c "$lists 11"
want 0
same out '6
'
done_testing
