1two3
