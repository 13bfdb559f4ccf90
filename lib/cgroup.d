/*
 * Control groups: the arguments of cgroup's probes. They pass, as arg0 to arg3: the group, its path,
 * the task or the number, and whether a whole process is moved.
 */

typedef struct cginfo {
	uint64_t cg_id;		/* the inode of its directory */
	int cg_level;		/* 0: the root of its hierarchy */
	int cg_hierarchy;	/* 0: cgroup v2; as in /proc/cgroups */
	string cg_path;		/* in its hierarchy */
	uintptr_t cg_addr;
} cginfo_t;

translator cginfo_t < struct cgroup *C > {
	cg_id = C->kn->id;
	cg_level = C->level;
	cg_hierarchy = C->root->hierarchy_id;
	cg_path = stringof((const char *)arg1);
	cg_addr = (uintptr_t)C;
};
