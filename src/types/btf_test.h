#pragma once
// For tests: BTF made by hand, and files to put it in.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dt::types {

// Writes BTF as pahole would.
class BtfWriter {
 public:
  BtfWriter() = default;
  // Split BTF on top of `base`.
  explicit BtfWriter(const BtfWriter& base)
      : first_string_(static_cast<std::uint32_t>(base.strings_.size())), last_(base.last_) {
    strings_.clear();
  }

  std::uint32_t string(std::string_view text) {
    if (text.empty()) return 0;
    const auto at = first_string_ + static_cast<std::uint32_t>(strings_.size());
    strings_.append(text);
    strings_.push_back('\0');
    return at;
  }
  std::uint32_t type(std::string_view name, std::uint32_t kind, std::uint32_t count,
                     std::uint32_t size, const std::vector<std::uint32_t>& words = {},
                     bool flag = false) {
    put(string(name));
    put(kind << 24 | count | (flag ? 1u << 31 : 0));
    put(size);
    for (const std::uint32_t word : words) put(word);
    return ++last_;
  }
  std::vector<std::uint8_t> bytes() const {
    const auto type_bytes = static_cast<std::uint32_t>(types_.size());
    const std::uint32_t header[] = {
        0x0001eb9f, 24, 0, type_bytes, type_bytes, static_cast<std::uint32_t>(strings_.size())};
    std::vector<std::uint8_t> out(sizeof header);
    std::memcpy(out.data(), header, sizeof header);
    out.insert(out.end(), types_.begin(), types_.end());
    out.insert(out.end(), strings_.begin(), strings_.end());
    return out;
  }

 private:
  void put(std::uint32_t word) {
    const std::size_t at = types_.size();
    types_.resize(at + sizeof word);
    std::memcpy(types_.data() + at, &word, sizeof word);
  }
  std::vector<std::uint8_t> types_;
  std::string strings_ = std::string(1, '\0');
  std::uint32_t first_string_ = 0;
  std::uint32_t last_ = 0;
};

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::vector<std::uint8_t>& bytes) {
    const Fd fd(::mkstemp(path_));
    EXPECT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  ~TemporaryFile() { ::unlink(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/dt_types_test_XXXXXX";
};

}  // namespace dt::types
