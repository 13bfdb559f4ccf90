42 word two words
1 0
/etc/passwd quoted name

