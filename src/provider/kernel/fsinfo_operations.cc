// See fsinfo_operations.h.
//
// A function is here when all ways to its operation lead through it, and when the
// compiler cannot have made it a part of its callers: because they are in other files
// of the kernel's source, or because it is large and has several.

#include "provider/kernel/fsinfo_operations.h"

namespace dt::provider {

namespace {

constexpr Operation kOperations[] = {
    {"access", "inode_permission", Subject::kInode, Counted::kAccess},
    {"close", "locks_remove_posix", Subject::kFile, Counted::kOwners},  // every close() calls it
    {"create", "do_dentry_open", Subject::kFile, Counted::kCreated},
    {"create", "vfs_create", Subject::kEntry, Counted::kDone},
    {"create", "vfs_mknod", Subject::kEntry, Counted::kDone},
    {"fid", "exportfs_encode_fh", Subject::kEntry},
    {"frlock", "fcntl_getlk"},
    {"frlock", "fcntl_setlk"},
    {"getattr", "security_inode_getattr", Subject::kPath, Counted::kDone},
    {"getsecattr", "vfs_get_acl", Subject::kEntry},
    {"ioctl", "security_file_ioctl", Subject::kFile, Counted::kDone},
    {"ioctl", "security_file_ioctl_compat", Subject::kFile, Counted::kDone},
    {"link", "vfs_link", Subject::kDirectory},
    {"map", "security_mmap_file", Subject::kFile, Counted::kMapped},
    {"mkdir", "vfs_mkdir", Subject::kMade, Counted::kDone},
    {"open", "do_dentry_open", Subject::kFile, Counted::kOpened},
    {"read", "__kernel_read", Subject::kFile, Counted::kAll, true},
    {"read", "vfs_iter_read", Subject::kFile, Counted::kAll, true},
    {"read", "vfs_read", Subject::kFile, Counted::kAll, true},
    {"read", "vfs_readv", Subject::kFile, Counted::kAll, true},
    {"readdir", "iterate_dir"},
    {"readlink", "vfs_readlink", Subject::kEntry},
    {"remove", "vfs_unlink", Subject::kDirectory},
    {"rename", "vfs_rename", Subject::kSource},
    {"rmdir", "vfs_rmdir", Subject::kDirectory},
    {"setattr", "notify_change", Subject::kEntry},
    {"setfl", "security_file_fcntl", Subject::kFile, Counted::kFlags},
    {"setsecattr", "vfs_set_acl", Subject::kEntry},
    {"space", "vfs_fallocate"},
    {"symlink", "vfs_symlink", Subject::kDirectory},
    {"write", "__kernel_write_iter", Subject::kFile, Counted::kAll, true},
    {"write", "vfs_iter_write", Subject::kFile, Counted::kAll, true},
    {"write", "vfs_write", Subject::kFile, Counted::kAll, true},
    {"write", "vfs_writev", Subject::kFile, Counted::kAll, true},
};

constexpr const char* kInline = "the kernel does this in place, without a function of its own";
constexpr const char* kSmall =
    "the kernel's function for it is so small that compilers make it a part of its callers";
constexpr const char* kNoSuch = "file systems of Linux have no such operation";
constexpr const char* kPages =
    "the kernel moves pages between its cache and memory without an operation for each";

}  // namespace

std::span<const Operation> file_operations() { return kOperations; }

std::vector<AbsentProbe> absent_file_operations() {
  return {
      {"addmap", kNoSuch},
      {"cmp", kInline},
      {"delmap", kNoSuch},
      {"dispose", kPages},
      {"dumpctl", kNoSuch},
      {"fsync", kSmall},
      {"getpage", kPages},
      {"inactive", "the kernel keeps files that nobody uses, and has no function for the last use"},
      {"lookup", "most names are found in the kernel's cache of them, without a function for each"},
      {"pageio", kPages},
      {"pathconf", "no system call: the C library answers"},
      {"poll", kInline},
      {"putpage", kPages},
      {"realvp", kNoSuch},
      {"reqzcbuf", kNoSuch},
      {"retzcbuf", kNoSuch},
      {"rwlock", kInline},
      {"rwunlock", kInline},
      {"seek", kSmall},
      {"shrlock", kNoSuch},
      {"vnevent", kNoSuch},
  };
}

}  // namespace dt::provider
