abcd
abcd

