1 made
42

