half 0 1
there 5 0

  there                                                             5
kept
there 5 1

