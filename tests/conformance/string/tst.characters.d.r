abc 0 0
d N l d t
a c b
bc race IN eral
2 4 1
a ad
1 1
dtrace r
bc
changed anged
dtrace t ce
1
dtrace
c 1
A2434 1 5
Thread Elements CHanged
ne 1

