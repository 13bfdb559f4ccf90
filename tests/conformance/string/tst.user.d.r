dt-no-such-file in /nonexistent, 28 bytes

