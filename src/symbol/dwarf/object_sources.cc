// See object_sources.h.

#include "symbol/dwarf/object_sources.h"

#include <elf.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>

#include "machine/x86_64/calls.h"
#include "symbol/process/debug_file.h"

namespace dt::symbol {
namespace {

// Of all together, but for what one question needs.
constexpr std::size_t kMaxDebugBytes = std::size_t{48} << 20;
constexpr std::size_t kMaxIndexBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxInflatedDebugBytes = std::size_t{64} << 20;

constexpr std::uint64_t nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

ObjectSources::Object* ObjectSources::find(const Key& key) {
  const auto known = objects_.find(key);
  if (known == objects_.end()) return nullptr;
  known->second.used = ++now_;
  return &known->second.object;
}

void ObjectSources::forget_eldest() {
  const auto eldest =
      std::min_element(objects_.begin(), objects_.end(),
                       [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
  objects_.erase(eldest);
  std::erase_if(lines_, [](const auto& one) { return one.second.expired(); });
}

ObjectSources::Object& ObjectSources::add(const Key& key, const Fd& fd, const std::string& path,
                                          const std::string& root, Debuginfod* servers) {
  while (objects_.size() >= most_objects_) forget_eldest();
  Held& held = objects_[key];
  held.used = ++now_;
  Result<ElfFile> elf = ElfFile::open(fmt::format("/proc/self/fd/{}", fd.get()));
  if (!elf.ok()) return held.object;
  const auto code = std::make_shared<const ElfFile>(std::move(*elf));
  held.object.code = code;
  std::shared_ptr<const ElfFile> debug = code;
  if (!code->has(".debug_info")) {
    std::optional<ElfFile> apart = find_debug_file(*code, path, root, ".debug_info", servers);
    if (!apart) return held.object;
    debug = std::make_shared<const ElfFile>(std::move(*apart));
  }
  struct stat status {};
  ::fstat(debug->descriptor(), &status);
  std::weak_ptr<SourceLines>& known =
      lines_[{status.st_dev, status.st_ino, nanoseconds(status.st_mtim)}];
  held.object.lines = known.lock();
  if (held.object.lines == nullptr) {
    std::optional<ElfFile> shared = find_shared_file(*debug, path, root);
    held.object.lines = std::make_shared<SourceLines>(
        std::move(debug), shared ? std::make_shared<const ElfFile>(std::move(*shared)) : nullptr);
    known = held.object.lines;
  }
  return held.object;
}

std::vector<SourceFrame> ObjectSources::source(Object& object, std::uint64_t offset,
                                               SourceWish wish) {
  if (object.code == nullptr || object.lines == nullptr) return {};
  const std::optional<std::uint64_t> address = object.code->address_of(offset);
  if (!address) return {};
  SourceLines& lines = *object.lines;
  const auto bytes = [&] { return lines.table_bytes() + lines.held_bytes() + lines.index_bytes(); };
  const std::size_t before = bytes();
  lines.set_now(++now_);
  std::vector<SourceFrame> frames = lines.find(*address, wish);
  if (bytes() > before) keep_bounds(lines);
  return frames;
}

void ObjectSources::keep_bounds(const SourceLines& current) {
  const auto sum = [this](std::size_t (SourceLines::*bytes)() const) {
    std::size_t all = 0;
    for (const auto& [key, weak] : lines_) {
      if (const auto lines = weak.lock()) all += ((*lines).*bytes)();
    }
    return all;
  };
  while (objects_.size() > 1 && sum(&SourceLines::index_bytes) > kMaxIndexBytes) forget_eldest();
  const bool has_too_much = sum(&SourceLines::held_bytes) > kMaxInflatedDebugBytes;
  const std::uint64_t first = sum(&SourceLines::table_bytes) > kMaxDebugBytes ? first_to_keep() : 0;
  for (const auto& [key, weak] : lines_) {
    const auto lines = weak.lock();
    if (lines == nullptr) continue;
    if (first != 0) lines->forget_before(first);
    if (has_too_much && lines.get() != &current) lines->let_go();
  }
}

// When the tables were used last that are worth keeping: the newest half.
std::uint64_t ObjectSources::first_to_keep() const {
  std::vector<SourceLines::Age> ages;
  for (const auto& [key, weak] : lines_) {
    if (const auto lines = weak.lock()) lines->add_ages(ages);
  }
  std::sort(ages.begin(), ages.end(), [](const auto& a, const auto& b) { return a.used > b.used; });
  std::uint64_t first = now_;
  std::size_t kept = 0;
  for (const SourceLines::Age& age : ages) {
    kept += age.bytes;
    if (kept > kMaxDebugBytes / 2) break;
    first = age.used;
  }
  return first;
}

bool ObjectSources::is_signal_return(const Object& object, std::uint64_t offset) {
  std::array<std::uint8_t, machine::kSignalReturn.size()> code{};
  return object.code != nullptr && object.code->machine() == EM_X86_64 &&
         object.code->read(offset, code.data(), code.size()) && code == machine::kSignalReturn;
}

}  // namespace dt::symbol
