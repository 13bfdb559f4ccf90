BEGIN /exit(1)/ { }
