[cdef] [cde] [abcdef]
[ef] [e] [bcd]
[abcdef] [ab] []
[] [] []

