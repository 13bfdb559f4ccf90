#pragma once
// Unwind tables of files, kept for the next command. To make them of what compilers write takes as
// long as all else that a command does at its start; a file's are the same for as long as it is.

#include <cstdint>
#include <optional>
#include <string>

#include "kernel/kept_directory.h"
#include "support/fd.h"
#include "symbol/elf/file.h"
#include "symbol/frames/frame_table.h"

namespace dt::runtime {

class KeptTables {
 public:
  // Under `directory`; "" keeps nothing.
  explicit KeptTables(const std::string& directory);

  // The file's table: kept, or made, and then kept. nullopt: it has none.
  std::optional<symbol::FrameTable> table(const Fd& fd, const symbol::ElfFile& elf);

 private:
  void keep(const std::string& name, const symbol::FrameTable& table);

  std::optional<kernel::KeptDirectory> directory_;
  std::optional<std::uint64_t> kept_bytes_;  // of all
};

}  // namespace dt::runtime
