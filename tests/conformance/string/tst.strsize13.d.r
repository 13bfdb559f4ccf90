abcdefghijkl 12
ABCDEFGHIJKL -12345678901
abcdefghijkl l
defghijkl 11

