BEGIN { x = curthread->comm && 1; }
