1 dtrace

