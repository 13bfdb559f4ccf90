/*
 * Flags of open(2), as fi_oflags has them.
 */

inline int O_RDONLY = 0;
inline int O_WRONLY = 01;
inline int O_RDWR = 02;
inline int O_ACCMODE = 03;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_NONBLOCK = 04000;
inline int O_NDELAY = 04000;
inline int O_DSYNC = 010000;
inline int O_ASYNC = 020000;
inline int O_DIRECT = 040000;
inline int O_LARGEFILE = 0100000;
inline int O_DIRECTORY = 0200000;
inline int O_NOFOLLOW = 0400000;
inline int O_NOATIME = 01000000;
inline int O_CLOEXEC = 02000000;
inline int O_SYNC = 04010000;
inline int O_RSYNC = 04010000;
inline int O_PATH = 010000000;
inline int O_TMPFILE = 020200000;

/* Operations of fcntl(2) and flock(2), and what the functions with a directory take (openat(2) ...). */
inline int AT_FDCWD = -100;
inline int AT_SYMLINK_NOFOLLOW = 256;
inline int AT_REMOVEDIR = 512;
inline int AT_SYMLINK_FOLLOW = 0x400;
inline int AT_EACCESS = 512;
inline int AT_EMPTY_PATH = 0x1000;
inline int F_DUPFD = 0;
inline int F_GETFD = 1;
inline int F_SETFD = 2;
inline int F_GETFL = 3;
inline int F_SETFL = 4;
inline int F_GETLK = 5;
inline int F_SETLK = 6;
inline int F_SETLKW = 7;
inline int F_SETOWN = 8;
inline int F_GETOWN = 9;
inline int F_DUPFD_CLOEXEC = 0x406;
inline int FD_CLOEXEC = 1;
inline int F_RDLCK = 0;
inline int F_WRLCK = 1;
inline int F_UNLCK = 2;
inline int LOCK_SH = 1;
inline int LOCK_EX = 2;
inline int LOCK_NB = 4;
inline int LOCK_UN = 8;
