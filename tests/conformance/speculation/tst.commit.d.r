ids 1 1, a third: 0
before
kept 1
kept dtrace
after
a new one: 1

