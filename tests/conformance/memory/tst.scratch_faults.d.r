clause 1 action 1 fault 5
clause 2 action 2 fault 5
clause 3 action 1 fault 1
clause 4 action 1 fault 1
clause 5 action 3 fault 1
clause 6 action 1 fault 1
clause 7 action 2 fault 5
clause 8 action 1 fault 1
clause 9 action 1 fault 1
clause 10 action 1 fault 1
clause 11 action 1 fault 5

