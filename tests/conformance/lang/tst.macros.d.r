42 word two words
1 0

