// See file.h.
//
// No other user may write what is executed here: the directory and the file are this
// user's, and a program with more rights than the one who started it uses memory.

#include "usdt/made/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kMaxKept = 256, kNameBytes = 128 };

// FNV-1a
static uint64_t number_of(const struct made_image* image) {
  uint64_t number = 0xcbf29ce484222325u;
  for (size_t i = 0; i < image->size; i++) number = (number ^ image->bytes[i]) * 0x100000001b3u;
  return number;
}

static void name_of(const char* provider, const struct made_image* image, char* name) {
  snprintf(name, kNameBytes, "%s.so.%016llx", provider, (unsigned long long)number_of(image));
}

static int write_all(int fd, const struct made_image* image) {
  for (size_t done = 0; done < image->size;) {
    const ssize_t more = write(fd, image->bytes + done, image->size - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return 0;
    done += (size_t)more;
  }
  return 1;
}

static int has_all(int fd, const struct made_image* image) {
  unsigned char part[kMadePage];
  for (size_t done = 0; done < image->size;) {
    const size_t most = image->size - done < sizeof part ? image->size - done : sizeof part;
    const ssize_t more = pread(fd, part, most, (off_t)done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0 || memcmp(part, image->bytes + done, (size_t)more) != 0) return 0;
    done += (size_t)more;
  }
  return 1;
}

// A directory of this user that no other user may write to; -1 without.
static int open_directory(void) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/dtrace-probes-%u", (unsigned)geteuid());
  (void)mkdir(path, 0700);
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && (fstat(fd, &status) != 0 || status.st_uid != geteuid() ||
                  (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

static int open_same(int directory, const char* name, const struct made_image* image) {
  const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return -1;
  const int is_ours = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                      (size_t)status.st_size == image->size && has_all(fd, image);
  if (is_ours) return fd;
  close(fd);
  return -1;
}

static int has_room(int directory) {
  const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const all = copy < 0 ? NULL : fdopendir(copy);
  if (all == NULL) {
    if (copy >= 0) close(copy);
    return 0;
  }
  int count = 0;
  while (count < kMaxKept + 2 && readdir(all) != NULL) count++;
  closedir(all);
  return count < kMaxKept + 2;
}

// Written under a name of its own first, so that no process sees a part of it; if two do
// this at once, the file of one remains.
static void keep(int directory, const char* name, const struct made_image* image) {
  char part[kNameBytes + 16];
  snprintf(part, sizeof part, ".%s.%d", name, (int)getpid());
  const int fd = openat(directory, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
  if (fd < 0) return;
  const int is_written = write_all(fd, image);
  close(fd);
  if (is_written) (void)linkat(directory, part, directory, name, 0);
  (void)unlinkat(directory, part, 0);
}

int made_file_kept(const char* provider, const struct made_image* image) {
  if (getauxval(AT_SECURE) != 0) return -1;
  const int directory = open_directory();
  if (directory < 0) return -1;
  char name[kNameBytes];
  name_of(provider, image, name);
  int fd = open_same(directory, name, image);
  if (fd < 0 && has_room(directory)) {
    keep(directory, name, image);
    fd = open_same(directory, name, image);
  }
  close(directory);
  return fd;
}

int made_file_in_memory(const char* provider, const struct made_image* image) {
  char name[kNameBytes];
  name_of(provider, image, name);
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0 || write_all(fd, image)) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}
