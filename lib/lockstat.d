/*
 * The third argument of lockstat:::rw-block and rw-spin: how the lock was asked for.
 */

inline int RW_WRITER = 0;
inline int RW_READER = 1;
