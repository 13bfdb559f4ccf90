half 0 1
there 5 0

  there                                                             5
kept
there 5 1
most 9223372036854775807
least -9223372036854775808
half 0.5

