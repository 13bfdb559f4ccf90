/*
 * Open files: fds[], and where the process is.
 */

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	int64_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/*
 * Where a file system is mounted: a mount's place in its parent. What was never
 * mounted, as pipes and sockets, is flagged (MNT_INTERNAL).
 */
inline struct mount *mount_of[struct file *F] =
    (struct mount *)((uintptr_t)F->f_path.mnt - offsetof(struct mount, mnt));

/*
 * Pipes have no name. What is not mounted anywhere, as pipes and sockets, has MNT_INTERNAL (0x4000)
 * in mnt_flags.
 */
inline string entry_name[struct dentry *D] =
    D->d_name.len == 0 ? "<unknown>" : stringof(D->d_name.name);

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : entry_name[F->f_path.dentry];
	fi_dirname = F == NULL ? "<none>" :
	    F->f_path.mnt->mnt_flags & 0x4000 ? "<unknown>" :
	    dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" :
	    F->f_path.mnt->mnt_flags & 0x4000 ? "<unknown>" :
	    d_path((struct path *)memref(&mount_of[F]->mnt_parent->mnt,
	    (size_t)mount_of[F]->mnt_mountpoint));
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (
    fd >= 0 && curthread->files != NULL &&
    fd < curthread->files->fdt->max_fds ?
    curthread->files->fdt->fd[fd] : (struct file *)NULL);
#pragma D attributes Stable/Stable/Common fds
#pragma D binding "1.1" fds

inline string cwd = d_path(&curthread->fs->pwd);
#pragma D attributes Stable/Stable/Common cwd

inline string root = d_path(&curthread->fs->root);
#pragma D attributes Stable/Stable/Common root

/*
 * A file as io's probes pass it: its name in the file system, 0 where there is
 * none and 1 where it is not known. arg5 is where that is mounted, arg6 the offset.
 */
struct io_file {
	struct dentry dentry;
};

inline struct path *io_path[struct io_file *D] =
    (struct path *)memref(&((struct mount *)arg5)->mnt, (size_t)&D->dentry);

translator fileinfo_t < struct io_file *D > {
	fi_name = D == NULL ? "<none>" : (uintptr_t)D == 1 ? "<unknown>" :
	    entry_name[&D->dentry];
	fi_dirname = D == NULL ? "<none>" : (uintptr_t)D == 1 || arg5 == 0 ? "<unknown>" :
	    dirname(d_path(io_path[D]));
	fi_pathname = D == NULL ? "<none>" : (uintptr_t)D == 1 || arg5 == 0 ? "<unknown>" :
	    d_path(io_path[D]);
	fi_offset = D == NULL ? 0 : arg6;
	fi_fs = D == NULL ? "<none>" : (uintptr_t)D == 1 ? "<unknown>" :
	    stringof(D->dentry.d_sb->s_type->name);
	fi_mount = D == NULL ? "<none>" : (uintptr_t)D == 1 || arg5 == 0 ? "<unknown>" :
	    d_path((struct path *)memref(&((struct mount *)arg5)->mnt_parent->mnt,
	    (size_t)((struct mount *)arg5)->mnt_mountpoint));
	fi_oflags = 0;
};

/*
 * A file as fsinfo's probes pass it: its name in the file system, 1 where it is not
 * known. arg2 is where that is mounted, arg3 the offset and arg4 the flags.
 */
struct fsinfo_file {
	struct dentry dentry;
};

inline struct path *fsinfo_path[struct fsinfo_file *D] =
    (struct path *)memref(&((struct mount *)arg2)->mnt, (size_t)&D->dentry);

translator fileinfo_t < struct fsinfo_file *D > {
	fi_name = (uintptr_t)D == 1 ? "<unknown>" : entry_name[&D->dentry];
	fi_dirname = (uintptr_t)D == 1 || arg2 == 0 ||
	    ((struct mount *)arg2)->mnt.mnt_flags & 0x4000 ? "<unknown>" :
	    dirname(d_path(fsinfo_path[D]));
	fi_pathname = (uintptr_t)D == 1 || arg2 == 0 ? "<unknown>" :
	    d_path(fsinfo_path[D]);
	fi_offset = arg3;
	fi_fs = (uintptr_t)D == 1 ? "<unknown>" : stringof(D->dentry.d_sb->s_type->name);
	fi_mount = (uintptr_t)D == 1 || arg2 == 0 ||
	    ((struct mount *)arg2)->mnt.mnt_flags & 0x4000 ? "<unknown>" :
	    d_path((struct path *)memref(&((struct mount *)arg2)->mnt_parent->mnt,
	    (size_t)((struct mount *)arg2)->mnt_mountpoint));
	fi_oflags = arg4;
};
