42 four

