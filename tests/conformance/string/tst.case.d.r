ABC XYZ {`@[ 123 abc xyz {`@[ 123
ASCII only

