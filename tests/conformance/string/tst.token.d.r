usr lib x86 64 [] []
[a b] []

