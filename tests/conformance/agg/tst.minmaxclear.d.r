k 5
k 5
k 9
k -9

