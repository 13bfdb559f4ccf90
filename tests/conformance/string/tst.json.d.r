1 -2.5e3 x\"y
{"c":"x\"y"} true null 1
20 10
1111
[] [1]

