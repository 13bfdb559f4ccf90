#pragma once
// The bytes of a file that the kernel made and that does not change under us:
// mapped where that is possible, otherwise read.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::types {

class FileBytes {
 public:
  FileBytes() = default;
  explicit FileBytes(std::vector<std::uint8_t> bytes) : read_(std::move(bytes)) {}
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  static Result<FileBytes> open(const std::string& path);

  std::span<const std::uint8_t> bytes() const {
    if (mapped_ == nullptr) return read_;
    return {static_cast<const std::uint8_t*>(mapped_), size_};
  }

 private:
  Status read_all(const Fd& fd, const std::string& path, std::size_t size);

  void* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> read_;
};

}  // namespace dt::types
