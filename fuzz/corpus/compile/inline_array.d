inline int larger[int a, int b] = a > b ? a : b;
inline string size_name[uint64_t n] = n < 1024 ? "small" : n < 1048576 ? "medium" : "large";

BEGIN
{
	printf("%d %s %s\n", larger[3, 4], size_name[100], size_name[4096]);
	exit(0);
}
