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

/* fi_mount is not known where a probe fires. */
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
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
