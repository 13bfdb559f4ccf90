// See kept_tables.h.

#include "runtime/kept_tables.h"

#include <sys/stat.h>

#include <cstdint>
#include <ctime>

#include "symbol/elf/own_build.h"
#include "symbol/frames/call_frames.h"
#include "symbol/frames/table_bytes.h"

namespace dt::runtime {
namespace {

// The directory is memory: /run is no disk. A table of libc takes 220 kB; those of a compiler or a
// browser, some megabytes each, are made anew.
constexpr std::uint64_t kMostBytes = 32 << 20, kMostOfOne = 2 << 20;
// Smaller ones are made faster than found.
constexpr std::uint64_t kLeastFrames = 4 << 10;
// A file that was changed a moment ago may change again within the same tick of its time.
constexpr std::int64_t kSettled_s = 2;

// What changes with the file: whatever is written to it changes its ctime, and another file that
// has got its number by then has another build id. And with the program, which may make other
// tables. A file without a build id is not kept.
std::optional<std::string> kept_name_of(const Fd& fd, const symbol::ElfFile& elf) {
  static const std::string own = symbol::own_build_id();
  const std::string id = elf.build_id();
  struct stat status {};
  if (own.empty() || id.empty() || ::fstat(fd.get(), &status) != 0 ||
      ::time(nullptr) - status.st_ctim.tv_sec <= kSettled_s) {
    return std::nullopt;
  }
  constexpr std::size_t kOfOwn = 16;
  return fmt::format("{}-{:x}-{:x}-{:x}-{:x}.{}-{}", own.substr(0, kOfOwn), status.st_dev,
                     status.st_ino, status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
                     id);
}

}  // namespace

KeptTables::KeptTables(const std::string& directory) {
  if (directory.empty()) return;
  directory_ = kernel::KeptDirectory::open(directory).inner("frames");
  if (!directory_->valid()) directory_.reset();
}

std::optional<symbol::FrameTable> KeptTables::table(const Fd& fd, const symbol::ElfFile& elf) {
  std::optional<std::string> name;
  if (directory_ && elf.section_size(".eh_frame") >= kLeastFrames) name = kept_name_of(fd, elf);
  if (name) {
    if (const auto bytes = directory_->load(*name)) {
      if (auto known = symbol::frames_of(*bytes)) return known;
    }
  }
  Result<symbol::FrameTable> made = symbol::frame_table(elf);
  if (!made.ok()) return std::nullopt;
  if (name) keep(*name, *made);
  return std::move(*made);
}

// When there is no more room, all are made anew: those that are asked for come again.
void KeptTables::keep(const std::string& name, const symbol::FrameTable& table) {
  const std::string bytes = symbol::table_bytes(table);
  if (bytes.size() > kMostOfOne) return;
  if (!kept_bytes_) kept_bytes_ = directory_->bytes();
  if (*kept_bytes_ + bytes.size() > kMostBytes) {
    directory_->clear();
    kept_bytes_ = 0;
  }
  directory_->store(name, {bytes});
  *kept_bytes_ += bytes.size();
}

}  // namespace dt::runtime
