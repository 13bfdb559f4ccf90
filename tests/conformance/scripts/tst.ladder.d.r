1 first
2 second
3 later
limit of 3 reached by tick-2ms

