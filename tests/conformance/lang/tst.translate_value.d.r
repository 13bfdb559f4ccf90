8 -2 global
60 table
200 global
60

