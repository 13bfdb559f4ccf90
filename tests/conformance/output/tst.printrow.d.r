    PID COMM             LAT(ms) ERR
      7 sh                 1.235 ENOENT
123456789 a\012b\033[2Jlonger than sixteen   0.000 EACCES
        8 ls                               5000.000 0

other table    probe                % cut
    1 2        BEGIN            -0003 ab
      PID COMM                              LAT(ms) ERR
        9 mv                                  0.000 EPERM

