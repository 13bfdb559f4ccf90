/*
 * Control groups: the one of a thread, and the arguments of cgroup's probes. They pass, as arg0 to
 * arg3: the group, its path, the task or the number, and whether a whole process is moved.
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

/*
 * The control group of version 2 that the thread is in: the last component of its path, "/" for the root, and the
 * inode of its directory.
 */
inline struct kernfs_node *cgroup_node = curthread->cgroups->dfl_cgrp->kn;
inline string cgroupname = cgroup_node->name[0] == '\0' ? "/" : stringof(cgroup_node->name);
inline uint64_t cgroupid = cgroup_node->id;
