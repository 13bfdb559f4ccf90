ERROR 1 1 10
still here

