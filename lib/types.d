/*
 * Names of types that scripts for other kernels use.
 */

typedef int processorid_t;
typedef int psetid_t;
typedef int chipid_t;
typedef int64_t lgrp_id_t;
typedef short pri_t;
typedef int64_t hrtime_t;
typedef int boolean_t;
inline int B_FALSE = 0;
inline int B_TRUE = 1;
typedef int64_t offset_t;
typedef id_t taskid_t;
typedef id_t projid_t;
typedef id_t poolid_t;
typedef id_t zoneid_t;
typedef id_t ctid_t;
typedef uint32_t lwpid_t;
typedef uint32_t major_t;
typedef uint32_t minor_t;
typedef long daddr_t;
typedef uint32_t ipaddr_t;
typedef struct in6_addr in6_addr_t;
typedef struct file file_t;

/* Of programs of 64 bits. */
struct timespec {
	long tv_sec;
	long tv_nsec;
};

struct timeval {
	long tv_sec;
	long tv_usec;
};

typedef struct timespec timespec_t;
