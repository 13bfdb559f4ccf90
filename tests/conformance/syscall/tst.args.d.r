4242 the text 9
-9 9

