BEGIN /1 { }
