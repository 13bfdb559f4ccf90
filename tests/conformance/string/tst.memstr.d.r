[a.b..c.] [a b  c] []
[dtrace] [1]

