/*
 * Memory: arguments of mmap(2), mprotect(2), madvise(2), msync(2) and their
 * like.
 */

inline int PROT_NONE = 0;
inline int PROT_READ = 1;
inline int PROT_WRITE = 2;
inline int PROT_EXEC = 4;
inline int PROT_GROWSDOWN = 0x1000000;
inline int PROT_GROWSUP = 0x2000000;

inline int MAP_FILE = 0;
inline int MAP_SHARED = 1;
inline int MAP_PRIVATE = 2;
inline int MAP_SHARED_VALIDATE = 3;
inline int MAP_TYPE = 0xf;
inline int MAP_FIXED = 0x10;
inline int MAP_ANONYMOUS = 0x20;
inline int MAP_ANON = 0x20;
inline int MAP_GROWSDOWN = 0x100;
inline int MAP_DENYWRITE = 0x800;
inline int MAP_EXECUTABLE = 0x1000;
inline int MAP_LOCKED = 0x2000;
inline int MAP_NORESERVE = 0x4000;
inline int MAP_POPULATE = 0x8000;
inline int MAP_NONBLOCK = 0x10000;
inline int MAP_STACK = 0x20000;
inline int MAP_HUGETLB = 0x40000;
inline int MAP_SYNC = 0x80000;
inline int MAP_FIXED_NOREPLACE = 0x100000;

/* Of other systems. No call of Linux has these. */
inline int MAP_ALIGN = 0;
inline int MAP_INITDATA = 0;
inline int MAP_RENAME = 0;
inline int MAP_TEXT = 0;

inline int MREMAP_MAYMOVE = 1;
inline int MREMAP_FIXED = 2;
inline int MREMAP_DONTUNMAP = 4;
inline int MS_ASYNC = 1;
inline int MS_INVALIDATE = 2;
inline int MS_SYNC = 4;
inline int MCL_CURRENT = 1;
inline int MCL_FUTURE = 2;
inline int MCL_ONFAULT = 4;

inline int MADV_NORMAL = 0;
inline int MADV_RANDOM = 1;
inline int MADV_SEQUENTIAL = 2;
inline int MADV_WILLNEED = 3;
inline int MADV_DONTNEED = 4;
inline int MADV_FREE = 8;
inline int MADV_REMOVE = 9;
inline int MADV_DONTFORK = 10;
inline int MADV_DOFORK = 11;
inline int MADV_MERGEABLE = 12;
inline int MADV_UNMERGEABLE = 13;
inline int MADV_HUGEPAGE = 14;
inline int MADV_NOHUGEPAGE = 15;
inline int MADV_DONTDUMP = 16;
inline int MADV_DODUMP = 17;
inline int MADV_WIPEONFORK = 18;
inline int MADV_KEEPONFORK = 19;
inline int MADV_COLD = 20;
inline int MADV_PAGEOUT = 21;
