#pragma once
// The source of the code of all objects, by the files that it is read from. A bounded
// number of them is held open, so that they can be read when they have been deleted, and
// a bounded number of bytes of what was made of them.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/fd.h"
#include "symbol/dwarf/source_lines.h"
#include "symbol/elf/file.h"
#include "symbol/process/value.h"

namespace dt::symbol {

class Debuginfod;

class ObjectSources {
 public:
  // As the resolver knows objects.
  using Key = std::array<std::uint64_t, 4>;
  struct Object {
    std::shared_ptr<const ElfFile> code;  // null for what is no ELF file
    std::shared_ptr<SourceLines> lines;   // null when there is no DWARF for it
  };

  explicit ObjectSources(std::size_t most_files) : most_objects_(most_files / 3 + 1) {}

  // nullptr when it was not added, or has been forgotten.
  Object* find(const Key& key);
  // What was stripped off it is found by the others: see find_debug_file().
  Object& add(const Key& key, const Fd& fd, const std::string& path, const std::string& root,
              Debuginfod* servers);

  // The source of the code at an offset of the file, with mangled names.
  std::vector<SourceFrame> source(Object& object, std::uint64_t offset, SourceWish wish);
  static bool is_signal_return(const Object& object, std::uint64_t offset);

 private:
  struct Held {
    Object object;
    std::uint64_t used = 0;
  };
  // Device, inode and time of a file with DWARF, which may be that of several objects.
  using FileKey = std::array<std::uint64_t, 3>;

  void forget_eldest();
  void keep_bounds(const SourceLines& current);
  std::uint64_t first_to_keep() const;

  std::size_t most_objects_;
  std::map<Key, Held> objects_;
  std::map<FileKey, std::weak_ptr<SourceLines>> lines_;
  std::uint64_t now_ = 0;  // counts questions
};

}  // namespace dt::symbol
