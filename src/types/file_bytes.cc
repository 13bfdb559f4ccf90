// Mapping or reading a whole file.
//
// A mapping costs nothing for the parts that are not looked at, which of a file of types is nearly
// all. Where the file system cannot map, the bytes are read into memory.

#include "types/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fd.h"
#include "support/file.h"

namespace dt::types {

FileBytes::FileBytes(FileBytes&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      given_(std::move(other.given_)),
      size_(std::exchange(other.size_, 0)),
      read_(std::move(other.read_)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(given_, other.given_);
  std::swap(size_, other.size_);
  std::swap(read_, other.read_);
  return *this;
}

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

Result<FileBytes> FileBytes::open(const std::string& path) {
  Result<FileBytes> mapped = map(path);
  if (mapped.ok() || mapped.error().code != kCannotBeMapped) return mapped;
  DT_ASSIGN(const std::string text, support::read_file(path));
  return FileBytes(std::vector<std::uint8_t>(text.begin(), text.end()));
}

Result<FileBytes> FileBytes::map(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return support::system_error("open " + path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return support::system_error("stat " + path, errno);
  if (status.st_size == 0) return Error::of(path + ": is empty");
  FileBytes file;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) return support::system_error("mmap " + path, errno);
  file.mapped_ = data;
  file.size_ = size;
  return file;
}

}  // namespace dt::types
