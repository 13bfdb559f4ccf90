0xbeef dtrace[1]:0XBEEF dtrace[1]:0XBEEF
dtrace in /usr/local/bin, local
usr local <none>
0 24 local//share/../bin/dtrace /DTRACE
1st 2nd 3rd 11th
[] 1

