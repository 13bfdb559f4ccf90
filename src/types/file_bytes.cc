// Mapping or reading a whole file.

#include "types/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace dt::types {

FileBytes::FileBytes(FileBytes&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      read_(std::move(other.read_)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
  std::swap(read_, other.read_);
  return *this;
}

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

Result<FileBytes> FileBytes::open(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return support::system_error("open " + path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return support::system_error("stat " + path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return Error{path + ": is empty", 0, "", ""};
  FileBytes file;
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data != MAP_FAILED) {
    file.mapped_ = data;
    file.size_ = size;
  } else {
    DT_TRY(file.read_all(fd, path, size));  // BTF cannot be mapped before Linux 6.16
  }
  return file;
}

Status FileBytes::read_all(const Fd& fd, const std::string& path, std::size_t size) {
  read_.resize(size);
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::read(fd.get(), read_.data() + filled, size - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return support::system_error("read " + path, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  read_.resize(filled);
  return {};
}

}  // namespace dt::types
