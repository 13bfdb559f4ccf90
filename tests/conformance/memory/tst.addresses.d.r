0.0.0.0 :: 00:00:00:00:00:00
192.0.2.99 c000:263:ff0a:: c0:00:02:63:ff:0a
2001:db8::1:0:10 32.1.13.184
2001:db8:1::1:0:0
2001:db8:1::
127.0.0.1 127.0.0.1 ::1
ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 255.255.255.255
255.255.255.255 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fault 3

