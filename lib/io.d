/*
 * Requests to block devices: the arguments of io's probes.
 */

inline int B_BUSY = 0x0001;
inline int B_DONE = 0x0002;
inline int B_ERROR = 0x0004;
inline int B_PAGEIO = 0x0010;
inline int B_PHYS = 0x0020;
inline int B_READ = 0x0040;
inline int B_WRITE = 0x0100;
inline int B_ASYNC = 0x0400;

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	uintptr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	uintptr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

/*
 * A request as io's probes pass it. They also pass, as arg3 to arg8: the error,
 * the bytes that are left to do, the mount and the offset of the file, what
 * memory it is (1: of the page cache, 2: of a process), and whether it is done.
 */
struct io_request {
	struct request request;
};

inline int io_is_read[struct io_request *R] = (R->request.cmd_flags & 0xff) == 0;	/* REQ_OP_READ */

/* Sectors are counted on the whole disk; a block's number, on the device. */
inline uint64_t io_block_number[struct io_request *R] =
    (int64_t)R->request.__sector == -1 ? 0 :
    R->request.__sector - ((struct block_device *)arg1)->bd_start_sect;

translator bufinfo_t < struct io_request *R > {
	b_flags = (io_is_read[R] ? B_READ : B_WRITE) |
	    (arg8 == 0 ? B_BUSY : B_DONE) |
	    (arg3 == 0 ? 0 : B_ERROR) |
	    (arg7 == 1 ? B_PAGEIO : arg7 == 2 ? B_PHYS : 0) |
	    (io_is_read[R] || R->request.cmd_flags & 0x60800 ? 0 : B_ASYNC);	/* SYNC, FUA, PREFLUSH */
	b_bcount = R->request.__data_len;
	b_addr = 0;
	b_lblkno = io_block_number[R];
	b_blkno = io_block_number[R];
	b_resid = arg4;
	b_bufsize = R->request.__data_len;
	b_iodone = R->request.bio == NULL ? 0 : (uintptr_t)R->request.bio->bi_end_io;
	b_error = arg3;
	b_edev = ((struct block_device *)arg1)->bd_dev;
};

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

inline struct device *io_parent[struct block_device *B] = B->bd_disk->part0->bd_device.parent;

/*
 * The driver is that of what the disk is made of, or else the module that has
 * the disk. At wait-start and wait-done the device is not known: NULL.
 */
translator devinfo_t < struct block_device *B > {
	dev_major = B->bd_dev >> 20;
	dev_minor = B->bd_dev & 0xfffff;
	dev_instance = B->bd_disk->minors == 0 ? B->bd_disk->first_minor :
	    B->bd_disk->first_minor / B->bd_disk->minors;
	dev_name = B == NULL ? "<unknown>" :
	    io_parent[B] != NULL && io_parent[B]->driver != NULL ?
	    stringof(io_parent[B]->driver->name) :
	    B->bd_disk->fops->owner != NULL ?
	    stringof(B->bd_disk->fops->owner->name) : "<unknown>";
	dev_statname = B == NULL ? "<unknown>" : stringof(B->bd_disk->disk_name);
	dev_pathname = B == NULL ? "<unknown>" : strjoin("/dev/", stringof(B->bd_device.kobj.name));
};
