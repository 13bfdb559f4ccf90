// See map.h.
//
// A breakpoint in the middle of an instruction changes the program: the processor would execute the
// byte 0xcc as a part of the instruction before it. So a place for a probe must be the beginning of
// an instruction, which x86 code does not show: instructions have 1 to 15 bytes, and data may stand
// between functions. It is certain only from a place that is known to be a beginning, instruction
// by instruction.

#include "symbol/code/map.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "symbol/frames/functions.h"

namespace dt::symbol {

using machine::first_instruction;
using machine::Instruction;

namespace {

constexpr std::size_t kMaxInstructionBytes = 15;
constexpr std::uint64_t kLeast = 256, kChunk = 64 << 10;  // bytes that are read at once
constexpr std::size_t kScanned = std::size_t{1} << 20;
constexpr std::size_t kMaxDescriptions = 4;  // of one address
constexpr std::size_t kMaxReached = std::size_t{4} << 20;
constexpr std::size_t kMostRelocationBytes = std::size_t{256} << 20;

// Adds where control may go from `one`, which is at `address`, other than to the next instruction.
// Only targets that the instruction itself names: where an indirect jump or call goes is not known
// here.
void add_targets(const Instruction& one, std::uint64_t address,
                 std::vector<std::uint64_t>& targets) {
  const bool jumps = one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch;
  if (one.called) targets.push_back(address + static_cast<std::uint64_t>(*one.called));
  if (jumps && one.target != std::numeric_limits<std::int64_t>::min()) {
    targets.push_back(address + static_cast<std::uint64_t>(one.target));
  }
}

}  // namespace

void CodeMap::read() {
  is_read_ = true;
  has_frames_ = elf_.has(".eh_frame") || elf_.has(".debug_frame") || elf_.unwind_header();
  if (auto ranges = frame_ranges(elf_); ranges.ok()) described_ = std::move(*ranges);
  std::uint64_t end = 0;
  for (const CodeRange& one : described_) ends_.push_back(end = std::max(end, one.end));
  // All is read once to be counted, unless descriptions overlap.
  for (const ElfFile::Segment& one : elf_.segments()) {
    if (one.is_executable) left_ += 4 * one.file_size;
  }
}

std::size_t CodeMap::first_behind(std::uint64_t address) const {
  const auto after =
      std::upper_bound(described_.begin(), described_.end(), address,
                       [](std::uint64_t at, const CodeRange& one) { return at < one.begin; });
  return static_cast<std::size_t>(after - described_.begin());
}

bool CodeMap::is_described(std::uint64_t address) const {
  const std::size_t after = first_behind(address);
  return after > 0 && ends_[after - 1] > address;
}

std::vector<CodeRange> CodeMap::descriptions_of(std::uint64_t address) const {
  std::vector<CodeRange> found;
  for (std::size_t i = first_behind(address); i > 0 && found.size() <= kMaxDescriptions; --i) {
    if (ends_[i - 1] <= address) break;
    if (described_[i - 1].end > address) found.push_back(described_[i - 1]);
  }
  return found;
}

// Three cases. No description at all: instructions are counted from the beginning of the section. A
// function with a description: from its beginning, and if several descriptions overlap there, all
// must agree. A gap between descriptions: only what calls and jumps lead to is certain.
bool CodeMap::begins(std::uint64_t address) {
  if (!is_read_) read();
  if (address < code_.begin || address >= code_.end) {
    code_ = elf_.code_at(address).value_or(CodeRange());
    if (code_.end == 0) return false;
  }
  if (!has_frames_) return count(code_, address, false);
  if (address >= alone_.begin && address < alone_.end) return count(alone_, address, true);
  if (!is_described(address)) {
    if (!has_roots_) find_roots();
    add_neighbours(address);
    reach();
    return reached_.contains(address);
  }
  const std::vector<CodeRange> descriptions = descriptions_of(address);
  const std::size_t after = first_behind(address);
  const CodeRange& nearest = described_[after - 1];
  if (descriptions.size() == 1 && descriptions[0] == nearest &&
      (after == 1 || ends_[after - 2] <= nearest.begin) &&
      (after == described_.size() || described_[after].begin >= nearest.end) &&
      nearest.begin >= code_.begin && nearest.end <= code_.end) {
    alone_ = nearest;
  }
  return descriptions.size() <= kMaxDescriptions &&
         std::all_of(descriptions.begin(), descriptions.end(),
                     [&](const CodeRange& one) { return count(one, address, true); });
}

CodeRange CodeMap::gap_at(std::uint64_t address) const {
  CodeRange gap = elf_.code_at(address).value_or(CodeRange());
  const std::size_t after = first_behind(address);
  if (after > 0) gap.begin = std::max(gap.begin, ends_[after - 1]);
  if (after < described_.size()) gap.end = std::min(gap.end, described_[after].begin);
  return gap;
}

bool CodeMap::count(const CodeRange& range, std::uint64_t address, bool stops) {
  const auto [it, is_new] = counted_.try_emplace(range);
  Counted& counted = it->second;
  if (is_new) {
    counted.next = range.begin;
    counted.stops = stops;
  }
  while (counted.next <= address && !counted.is_damaged) go_on(range, address, counted);
  const std::uint64_t at = address - range.begin;
  return at < counted.begins.size() && counted.begins[at];
}

// Counts the instructions of one more chunk. Counting stops at the address that was asked for, and
// goes on from there for a later one: a large function is decoded at most once.
void CodeMap::go_on(const CodeRange& range, std::uint64_t address, Counted& counted) {
  const std::uint64_t wanted = std::max(kLeast, address - counted.next + kMaxInstructionBytes);
  const std::uint64_t size = std::min({kChunk, wanted, range.end - counted.next});
  const auto offset = elf_.offset_of(counted.next);
  std::vector<std::uint8_t> bytes(size);
  if (size == 0 || size > left_ || !offset || !elf_.read(*offset, bytes.data(), size)) {
    counted.is_damaged = true;
    return;
  }
  // An instruction that the chunk cuts off is for the next one.
  const bool is_last = counted.next + size == range.end;
  const std::uint64_t enough = is_last ? size : size - (kMaxInstructionBytes - 1);
  std::uint64_t at = 0;
  while (at < enough && !counted.is_damaged) {
    const auto one = first_instruction(std::span(bytes).subspan(at));
    counted.begins.resize(counted.next - range.begin + at);
    counted.begins.push_back(one.has_value());
    counted.is_damaged = !one && counted.stops;
    at += one ? one->length : 1;
  }
  counted.next += at;
  left_ -= std::min(left_, at);
}

void CodeMap::find_roots() {
  has_roots_ = true;
  for (const std::uint64_t one : exported_functions(elf_)) {
    if (is_described(one)) continue;
    const CodeRange gap = gap_at(one);
    if (one < gap.end && count(gap, one, false)) targets_.push_back(one);
  }
  targets_.push_back(elf_.entry());
  for (const char* const section : {".init", ".fini"}) {
    targets_.push_back(elf_.section_address(section));
  }
  find_called_by_loader();
  for (const ElfFile::Segment& one : elf_.segments()) {
    if (one.is_executable) find_calls(one);
  }
}

// What runs before main() and behind it: the addresses in arrays. In a file that may be loaded
// anywhere, a relocation says each of them. Startup code of compilers has neither frame information
// nor symbols with sizes, and what only it calls is known from here alone.
void CodeMap::find_called_by_loader() {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  const Result<ElfFile::Bytes> relocations = elf_.section(".rela.dyn", kMostRelocationBytes);
  for (const char* const section : {".preinit_array", ".init_array", ".fini_array"}) {
    const Result<ElfFile::Bytes> words = elf_.section(section, kMostBytes);
    if (!words.ok()) continue;
    const std::uint64_t begin = elf_.section_address(section);
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= words->size();
         at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, words->data() + at, sizeof word);
      targets_.push_back(word);
    }
    for (std::size_t at = 0; relocations.ok() && at + sizeof(Elf64_Rela) <= relocations->size();
         at += sizeof(Elf64_Rela)) {
      Elf64_Rela one;
      std::memcpy(&one, relocations->data() + at, sizeof one);
      const bool is_in = one.r_offset - begin < words->size();
      if (is_in && ELF64_R_TYPE(one.r_info) == R_X86_64_RELATIVE) {
        targets_.push_back(static_cast<std::uint64_t>(one.r_addend));
      }
    }
  }
}

// Finds calls and jumps from code that is described to code that is not. Only those of five and six
// bytes, but wherever such bytes are, so that not all has to be decoded. e8 and e9: call and jmp;
// 0f 80 to 0f 8f: the conditional jumps. Bytes in the middle of another instruction can look the
// same, so begins() must confirm each.
void CodeMap::find_calls(const ElfFile::Segment& segment) {
  constexpr std::size_t kBytes = 5;
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t begin = 0; begin + kBytes <= segment.file_size; begin += kScanned) {
    bytes.resize(std::min<std::uint64_t>(kScanned + kBytes - 1, segment.file_size - begin));
    if (bytes.size() < kBytes || bytes.size() > left_ ||
        !elf_.read(segment.offset + begin, bytes.data(), bytes.size())) {
      return;
    }
    left_ -= bytes.size() / 2;
    for (std::size_t i = 0; i + kBytes <= bytes.size(); ++i) {
      const bool is_branch = i > 0 && bytes[i - 1] == 0x0f && (bytes[i] & 0xf0) == 0x80;
      if ((bytes[i] & 0xfe) != 0xe8 && !is_branch) continue;
      std::int32_t distance = 0;
      std::memcpy(&distance, &bytes[i + 1], sizeof distance);
      const std::uint64_t address = segment.address + begin + i;
      const std::uint64_t target =
          address + kBytes + static_cast<std::uint64_t>(std::int64_t{distance});
      if (target - segment.address >= segment.file_size || is_described(target)) continue;
      const std::uint64_t from = is_branch ? address - 1 : address;
      if (is_described(from) && begins(from)) targets_.push_back(target);
    }
  }
}

// What is described just before goes on in here, and what is around may jump.
void CodeMap::add_neighbours(std::uint64_t address) {
  const std::size_t after = first_behind(address);
  for (std::size_t i = after > 0 ? after - 1 : 0; i < std::min(after + 1, described_.size()); ++i) {
    const CodeRange& range = described_[i];
    if (!neighbours_.insert(range.begin).second) continue;
    for (std::uint64_t at = range.begin; at < range.end;) {
      std::uint8_t bytes[kMaxInstructionBytes];
      const std::size_t size = std::min<std::uint64_t>(sizeof bytes, range.end - at);
      const auto offset = elf_.offset_of(at);
      const bool is_read = offset && size <= left_ && elf_.read(*offset, bytes, size);
      const auto one = is_read ? first_instruction(std::span(bytes).first(size)) : std::nullopt;
      if (!one) break;
      left_ -= one->length;
      add_targets(*one, at, targets_);
      at += one->length;
      if (at == range.end && !one->is_end) targets_.push_back(at);
    }
  }
}

void CodeMap::reach() {
  while (!targets_.empty() && reached_.size() < kMaxReached) {
    const std::uint64_t address = targets_.back();
    targets_.pop_back();
    reach_from(address);
  }
}

// Follows code that is not described from one instruction to the next. Hostile code can jump into
// the middle of an instruction that was reached, too. Both decodings then count as reached, and a
// breakpoint at either changes the other; but such a program harms only itself.
void CodeMap::reach_from(std::uint64_t address) {
  while (!is_described(address) && !reached_.contains(address)) {
    const std::optional<CodeRange> code = elf_.code_at(address);
    const auto offset = code ? elf_.offset_of(address) : std::nullopt;
    std::uint8_t bytes[kMaxInstructionBytes];
    std::uint64_t size = code ? std::min<std::uint64_t>(sizeof bytes, code->end - address) : 0;
    const std::size_t next = first_behind(address);
    if (next < described_.size()) size = std::min(size, described_[next].begin - address);
    if (!offset || !elf_.read(*offset, bytes, size)) return;
    const auto one = first_instruction(std::span(bytes).first(size));
    if (!one) return;
    reached_.insert(address);
    add_targets(*one, address, targets_);
    if (one->is_end) return;
    address += one->length;
  }
}

}  // namespace dt::symbol
