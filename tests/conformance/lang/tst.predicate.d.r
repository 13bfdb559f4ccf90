division in a predicate

