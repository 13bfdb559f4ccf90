# From the output of dtrace -l, and what was typed: the descriptions that may be meant, up to the next colon.
NR > 1 {
  p[1] = $2; p[2] = NF > 3 ? $3 : ""; p[3] = NF > 4 ? $4 : ""; p[4] = $NF
  n = split(typed, t, ":")
  if (n < 1) n = 1
  before = typed
  sub(/[^:]*$/, "", before)
  for (i = 1; i < n; i++) if (t[i] != "" && t[i] != p[i]) next
  if (n == 1) word = p[1] ":"
  else if (n == 2 && t[2] == "") word = p[3] != "" ? before ":" p[3] ":" : before "::" p[4]
  else if (n == 3 && t[3] == "" && p[3] == "") word = before ":" p[4]
  else if (n < 4) word = before p[n] ":"
  else word = before p[4]
  if (!(word in seen) && index(word, typed) == 1) print word
  seen[word] = 1
}
