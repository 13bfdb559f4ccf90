/*
 * The arguments of providers of Solaris that do not exist here: nfsv3, nfsv4, smb and iscsi. With
 * -Z, scripts that name their probes beside others are compiled.
 */
typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

typedef struct nfsv3opinfo {
	string noi_curpath;
	struct cred *noi_cred;
	uint64_t noi_xid;
} nfsv3opinfo_t;

typedef struct nfsv4opinfo {
	string noi_curpath;
	struct cred *noi_cred;
	uint64_t noi_xid;
} nfsv4opinfo_t;

/* Of reads and writes; other requests have arguments of their own. */
typedef struct nfs_range_args {
	uint64_t offset;
	uint32_t count;
	uint32_t data_len;
	uint32_t stable;
} nfs_range_args_t;

typedef struct nfs_result {
	uint32_t status;
} nfs_result_t;

typedef struct smbopinfo {
	struct cred *soi_cred;
	string soi_curpath;
	uint64_t soi_sid;
	uint32_t soi_pid;
	uint32_t soi_status;
	uint16_t soi_tid;
	uint16_t soi_uid;
	uint16_t soi_mid;
	uint16_t soi_flags2;
	uint8_t soi_flags;
} smbopinfo_t;

typedef struct smb_range_args {
	int64_t soa_offset;
	uint32_t soa_count;
} smb_range_args_t;

typedef struct iscsiinfo {
	string ii_target;
	string ii_initiator;
	string ii_isid;
	string ii_tsih;
	string ii_transport;
	uint64_t ii_lun;
	uint32_t ii_itt;
	uint32_t ii_ttt;
	uint32_t ii_cmdsn;
	uint32_t ii_statsn;
	uint32_t ii_datasn;
	uint32_t ii_datalen;
	uint32_t ii_flags;
} iscsiinfo_t;

typedef struct scsicmd {
	uint64_t ic_len;
	uint8_t *ic_cdb;
} scsicmd_t;
