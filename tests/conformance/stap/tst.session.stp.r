5 n05 25
4 n04 16
3 n03 9
5 values, 100 to 500, 300 on average
value |-------------------------------------------------- count
   16 |                                                   0
   32 |                                                   0
   64 |@                                                  1
  128 |@                                                  1
  256 |@@@                                                3
  512 |                                                   0
 1024 |                                                   0

division by 0 near operator '/' at conformance/stap/tst.session.stp:15:19
end
