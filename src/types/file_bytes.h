#pragma once
// The bytes of a file that the kernel made and that does not change under us:
// mapped where that is possible, otherwise read.

#include <cerrno>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/result.h"

namespace dt::types {

class FileBytes {
 public:
  FileBytes() = default;
  explicit FileBytes(std::vector<std::uint8_t> bytes) : read_(std::move(bytes)) {}
  FileBytes(std::unique_ptr<std::uint8_t[]> data, std::size_t size)
      : given_(std::move(data)), size_(size) {}
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  static Result<FileBytes> open(const std::string& path);
  // Before Linux 6.16 BTF cannot be: then the error has this code.
  static constexpr int kCannotBeMapped = ENODEV;
  static Result<FileBytes> map(const std::string& path);

  std::span<const std::uint8_t> bytes() const {
    if (mapped_ != nullptr) return {static_cast<const std::uint8_t*>(mapped_), size_};
    if (given_ != nullptr) return {given_.get(), size_};
    return read_;
  }

 private:
  void* mapped_ = nullptr;
  std::unique_ptr<std::uint8_t[]> given_;
  std::size_t size_ = 0;  // of these two
  std::vector<std::uint8_t> read_;
};

}  // namespace dt::types
