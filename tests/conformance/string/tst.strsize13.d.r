abcdefghijklm 13
ABCDEFGHIJKLM -123456789012
abcdefghijklm lm
defghijklm 11

