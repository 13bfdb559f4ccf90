fault 3
fault 3

