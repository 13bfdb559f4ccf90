provider bench {
	probe site(long, int, const char *);
	probe checked(long, int, const char *);
	probe fields(long, int, const char *);
};
