[abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz] 53 102 [] [abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz]
[0123456789] 10 0 [] [0123456789]
[XYZ] 3 0 [] [XYZ]

