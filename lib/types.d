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
typedef uint64_t diskaddr_t;
typedef uint64_t rlim_t;
typedef uint64_t pgcnt_t;
typedef uint64_t pfn_t;
typedef uint32_t useconds_t;
typedef uint32_t socklen_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
typedef int64_t quad_t;
typedef uint64_t u_quad_t;
typedef int64_t register_t;
typedef uint32_t ipaddr_t;
typedef struct in6_addr in6_addr_t;
typedef struct file file_t;

/* Of macOS: addresses and sizes of programs, of Mach. */
typedef uint64_t user_addr_t;
typedef uint64_t user_size_t;
typedef int64_t user_ssize_t;
typedef uint64_t vm_address_t;
typedef uint64_t vm_offset_t;
typedef uint64_t vm_size_t;
typedef uint64_t mach_vm_address_t;
typedef uint64_t mach_vm_size_t;
typedef uint32_t mach_port_t;
typedef uint32_t natural_t;

/* Of programs of 32 bits. */
typedef uint32_t caddr32_t;
typedef uint32_t size32_t;
typedef uint32_t uintptr32_t;

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
typedef struct timeval timeval_t;
