BEGIN { printf("%d", trace(1)); }
