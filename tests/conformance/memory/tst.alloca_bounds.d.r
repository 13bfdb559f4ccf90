clause 1 action 2 fault 1
1
clause 3 action 2 fault 1
clause 4 action 2 fault 1
clause 5 action 2 fault 1
clause 6 action 2 fault 1
clause 7 action 2 fault 1
clause 8 action 2 fault 1
0 8 8 dtrace

