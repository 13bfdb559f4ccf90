BEGIN { @a = nosuch; }
