// See unwind_tables.h.

#include "runtime/unwind_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "machine/x86_64/registers.h"

namespace dt::runtime {
namespace {

constexpr std::uint64_t kBlockBytes = 1ULL << bpf::kUnwindBlockShift;

// Whether a linker could have made the file: another one must not take the room of others. A
// damaged file can claim a function of gigabytes, which is one row, but blocks for all of it; so
// the number of blocks that a table may have depends on its rows.
bool is_sane(const symbol::FrameTable& table, std::uint64_t blocks) {
  constexpr std::size_t kMostRows = 4 << 20, kMostRules = 8 << 10, kBlocksFree = 4096;
  return table.rows.size() <= kMostRows && table.rules.size() <= kMostRules &&
         blocks <= kBlocksFree + 4 * table.rows.size();
}

Error no_room(const char* what) {
  return Error::of_code(fmt::format("no room for more {} of user stacks", what), ENOSPC);
}

}  // namespace

bpf::UnwindRule unwind_rule(const symbol::FrameRule& rule) {
  bpf::UnwindRule out;
  out.base = rule.base;
  out.saved = rule.saved;
  out.number = rule.number;
  out.frame_pointer = rule.frame_pointer;
  out.rbx = rule.rbx;
  // 24 bits, signed: a rule is one word.
  out.offset = static_cast<std::uint32_t>(rule.offset) & 0xffffff;
  if (rule.base == bpf::UnwindBase::kRegister) {
    if (rule.number < machine::kSavedByDwarf.size()) {
      out.number = machine::kSavedByDwarf.at(rule.number);
    } else {
      out.base = bpf::UnwindBase::kUnsupported;
    }
  }
  return out;
}

Result<UnwindTables> UnwindTables::create(kernel::Kernel& kernel, const Maps& maps) {
  UnwindTables tables(kernel, maps);
  DT_ASSIGN(tables.rules_memory_,
            kernel.map_memory(maps.unwind(bpf::UnwindMap::kRules), bpf::kUnwindRulesBytes));
  DT_TRY(tables.rule({}));  // 0: nothing is known
  return tables;
}

// Programs have few different rules: they are shared by all files, and a row is an offset and a
// rule's number. A rule is written before a row can name it.
Result<std::uint32_t> UnwindTables::rule(const symbol::FrameRule& rule) {
  const auto word = std::bit_cast<std::uint64_t>(unwind_rule(rule));
  const auto next = static_cast<std::uint32_t>(rules_.size());
  if (const auto known = rules_.find(word); known != rules_.end()) return known->second;
  if (next >= bpf::kUnwindRules) return no_room("rules");
  std::memcpy(rules_memory_.data + sizeof word * next, &word, sizeof word);
  rules_.emplace(word, next);
  return next;
}

// A chunk is written through its mapping, without a system call for each row. A new one becomes
// visible to programs by one update of the outer map.
Status UnwindTables::reach(std::uint64_t end) {
  while (chunks_ * bpf::kUnwindChunkBytes < end) {
    if (chunks_ == bpf::kUnwindChunks) return no_room("tables");
    DT_ASSIGN(const Fd chunk,
              kernel_->create_map(unwind_chunk_spec(fmt::format("dt_uw_chunk{}", chunks_))));
    DT_ASSIGN(kernel::Kernel::Mapping memory, kernel_->map_memory(chunk, bpf::kUnwindChunkBytes));
    const auto key = static_cast<std::uint32_t>(chunks_);
    const int fd = chunk.get();
    DT_TRY(kernel_->update(maps_->unwind(bpf::UnwindMap::kTables), &key, &fd));
    open_.emplace(chunks_, std::move(memory));
    ++chunks_;
  }
  return {};
}

Result<std::uint32_t> UnwindTables::reserve(std::uint64_t count, std::uint32_t item_bytes,
                                            bool in_one_chunk) {
  constexpr std::uint64_t kChunk = bpf::kUnwindChunkBytes;
  const std::uint64_t bytes = count * item_bytes;
  std::uint64_t start = (next_ + item_bytes - 1) / item_bytes * item_bytes;
  if (in_one_chunk && start / kChunk != (start + bytes - 1) / kChunk) {
    start = (start + kChunk - 1) / kChunk * kChunk;
  }
  DT_TRY(reach(start + bytes));
  next_ = start + bytes;
  return static_cast<std::uint32_t>(start / item_bytes);
}

std::uint8_t* UnwindTables::at(std::uint64_t place) {
  return open_.at(place / bpf::kUnwindChunkBytes).data + place % bpf::kUnwindChunkBytes;
}

//   file -> blocks of 2^kUnwindBlockShift bytes of code -> rows { offset in the block, rule }
//
// A block repeats as its first row the rule that is valid at its beginning. So the search of a
// program is within one block, and needs few steps; how many is what the verifier must see bounded.
Result<bpf::UnwindFile> UnwindTables::add(const symbol::FrameTable& table) {
  std::erase_if(open_,
                [this](const auto& one) { return one.first < next_ / bpf::kUnwindChunkBytes; });
  bpf::UnwindFile file;
  if (table.rows.size() < 2) return file;
  const std::uint32_t unknown = 0;
  file.first_block = table.rows.front().offset >> bpf::kUnwindBlockShift;
  file.blocks = ((table.rows.back().offset - 1) >> bpf::kUnwindBlockShift) - file.first_block + 1;
  if (!is_sane(table, file.blocks)) return bpf::UnwindFile();
  DT_ASSIGN(file.first_index, reserve(file.blocks, sizeof(bpf::UnwindBlock), false));
  std::vector<std::uint32_t> rules;
  for (const symbol::FrameRule& one : table.rules) {
    DT_ASSIGN(const std::uint32_t number, rule(one));
    rules.push_back(number);
  }
  std::vector<std::uint32_t> rows;
  std::uint32_t current = unknown;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < file.blocks; ++i) {
    const std::uint64_t begin = std::uint64_t{file.first_block + i} << bpf::kUnwindBlockShift;
    rows.clear();
    if (next >= table.rows.size() || table.rows[next].offset != begin) rows.push_back(current);
    for (; next < table.rows.size() && table.rows[next].offset < begin + kBlockBytes; ++next) {
      current = rules[table.rows[next].rule];
      const auto place = static_cast<std::uint32_t>(table.rows[next].offset - begin);
      rows.push_back(place << bpf::kUnwindRuleBits | current);
    }
    bpf::UnwindBlock block;
    if (rows.size() > 1 || rows.front() != unknown) {
      block.rows = static_cast<std::uint32_t>(rows.size());
      DT_ASSIGN(block.first_row, reserve(rows.size(), sizeof(std::uint32_t), true));
      std::memcpy(at(std::uint64_t{block.first_row} * sizeof(std::uint32_t)), rows.data(),
                  rows.size() * sizeof(std::uint32_t));
    }
    std::memcpy(at((std::uint64_t{file.first_index} + i) * sizeof block), &block, sizeof block);
  }
  return file;
}

Status UnwindTables::set(const bpf::UnwindFileKey& key, const bpf::UnwindFile& file) {
  constexpr std::size_t kMostKeys = bpf::kUnwindFiles / 4 * 3;  // the others are probes'
  if (!knows(key)) keys_.push_back(key);
  while (keys_.size() > kMostKeys) {
    __atomic_add_fetch(&forgotten_, 1, __ATOMIC_RELAXED);
    forget(keys_.front());
    keys_.pop_front();
  }
  return kernel_->update(maps_->unwind(bpf::UnwindMap::kFiles), &key, &file);
}

// The images of interpreters (offsets in their structures) are behind the rules in the same map;
// number 0 stands for none.
std::uint16_t UnwindTables::interpreter(const symbol::InterpreterImage& image) {
  const auto known = std::find(interpreters_.begin(), interpreters_.end(), image);
  const auto number = static_cast<std::size_t>(known - interpreters_.begin()) + 1;
  if (known != interpreters_.end()) return static_cast<std::uint16_t>(number);
  if (number >= bpf::kUnwindInterpreters) return 0;
  std::memcpy(rules_memory_.data + bpf::kUnwindInterpretersOffset + number * sizeof image, &image,
              sizeof image);
  interpreters_.push_back(image);
  return static_cast<std::uint16_t>(number);
}

// Tells probes that a file was forgotten: what they remember of files is not used any more.
void UnwindTables::renounce() {
  auto* const count =
      reinterpret_cast<std::uint64_t*>(rules_memory_.data + bpf::kUnwindForgottenOffset);
  __atomic_add_fetch(count, 1, __ATOMIC_RELEASE);
}

// Files are forgotten first and memory is given back after a grace period: a program that has just
// found a file may still be reading its rows.
Status UnwindTables::start_over() {
  __atomic_add_fetch(&forgotten_, 1, __ATOMIC_RELAXED);
  for (const bpf::UnwindFileKey& key : keys_) forget(key);
  renounce();
  keys_.clear();
  DT_TRY(kernel_->wait_grace_period());
  open_.clear();
  for (; chunks_ > 0; --chunks_) {
    const auto key = static_cast<std::uint32_t>(chunks_ - 1);
    DT_TRY(kernel_->erase(maps_->unwind(bpf::UnwindMap::kTables), &key));
  }
  next_ = 0;
  rules_.clear();
  return rule({}).ok() ? Status() : Status(no_room("rules"));
}

void UnwindTables::forget(const bpf::UnwindFileKey& key) {
  (void)kernel_->erase(maps_->unwind(bpf::UnwindMap::kFiles), &key);
  renounce();
}

bool UnwindTables::knows(const bpf::UnwindFileKey& key) const {
  bpf::UnwindFile file;
  return kernel_->lookup(maps_->unwind(bpf::UnwindMap::kFiles), &key, &file).ok() &&
         file.is_awaited == 0;
}

std::uint64_t UnwindTables::cut() const {
  const auto* const count =
      reinterpret_cast<const std::uint64_t*>(rules_memory_.data + bpf::kUnwindCutOffset);
  return __atomic_load_n(count, __ATOMIC_RELAXED);
}

}  // namespace dt::runtime
