5 6 1 7 0
0
2 20
7 0
20 2 1
tick 1
tick 2
tick 3
1 4 9
end 3

