direct
not in it
three
few
in it

