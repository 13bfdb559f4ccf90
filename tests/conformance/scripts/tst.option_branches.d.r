q1
<d>
spec

