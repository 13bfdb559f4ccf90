BEGIN /curthread->comm/ { exit(0); }
