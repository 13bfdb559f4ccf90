
  z                                                         0                0                7                0
  y                                                         2                1                0               10
  x                                                         1                3               -5                0
z.0:   0 7 [0    ]
y.2:   1 0 [10   ]
x.1:   3 fffffffffffffffb [0    ]
by b: x.1 3 -5
by b: y.2 1 0
by b: z.0 0 7
down: z.0 0 7
down: y.2 1 0
down: x.1 3 -5
by key: x.1 3 -5
by key: y.2 1 0
by key: z.0 0 7
by key 1: z.0 0 7
by key 1: x.1 3 -5
by key 1: y.2 1 0

