// See go_table.h. The format is that of Go's runtime (symtab.go), for eight bytes a word:
//
//   magic u32 | 0 u16 | 1 | 8                                      1.16      1.18, 1.20
//   words: functions, files, [where code begins,] names, units, files, steps, functions
//   at "functions": (where it begins, where its record is) * n, the end of the last one
//                                                                  u64 each  u32 each, from
//                                                                            where code begins
//   at a record: where it begins, name i32, u32, u32, steps u32, ... 28 bytes more, in 1.20 32:
//                number, flags
//   at "steps": (change of the depth, change of the address) * ..., 0; both of 7 bits a byte
//
// Places are counted from the start of what they are in, those of records from "functions".

#include "symbol/frames/go_table.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "symbol/frames/frame_bytes.h"
#include "symbol/frames/frame_table_maker.h"

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxGoTableBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kMaxGoFunctions = 4'000'000;
constexpr std::uint64_t kMaxFunctionBytes = 64 << 20;
constexpr std::size_t kMaxGoNameBytes = 4096;
constexpr std::uint32_t k116 = 0xfffffffa, k118 = 0xfffffff0, k120 = 0xfffffff1;
constexpr std::uint8_t kOutermostFlag = 1, kStackFlag = 2, kAssemblyFlag = 4;
constexpr std::size_t kTextWord = 2;
constexpr std::size_t kWordsAt = 8;

// What Go 1.16 does not say by flags.
constexpr std::string_view kOutermost[] = {"runtime.goexit", "runtime.mstart", "runtime.rt0_go"};
constexpr std::string_view kChangesStack[] = {"runtime.systemstack", "runtime.mcall",
                                              "runtime.morestack",   "runtime.asmcgocall",
                                              "runtime.cgocallback", "runtime.gogo"};
// The stack that these come from stands still while they go on on another one, so that their
// frame pointers lead back to it: that of cgocallback is its own, and the others have that of
// their caller, which is therefore left out (a function of the runtime). What comes from others
// is left to other threads, or is moved.
constexpr std::string_view kComeBack[] = {"runtime.systemstack", "runtime.asmcgocall",
                                          "runtime.cgocallback"};
// These call the vDSO on another stack, and have frame pointers of their own (1.18).
constexpr std::string_view kClocks[] = {"runtime.nanotime1", "runtime.walltime", "time.now"};
constexpr std::string_view kSignalReturns[] = {"runtime.sigreturn", "runtime.sigreturn__sigaction"};

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void classify(GoFunction& one, std::uint8_t flags) {
  const bool is_clock = is_one_of(kClocks, one.name);
  one.is_assembly = (flags & kAssemblyFlag) != 0;
  one.is_outermost = (flags & kOutermostFlag) != 0 || is_one_of(kOutermost, one.name);
  one.changes_stack = (flags & kStackFlag) != 0 || is_one_of(kChangesStack, one.name) || is_clock;
  one.comes_back = is_one_of(kComeBack, one.name) || (is_clock && one.is_assembly);
}

// Of a program that is loaded anywhere, where code begins is what the loader writes there.
std::uint64_t relocated(const ElfFile& elf, std::uint64_t address, std::uint64_t content) {
  for (const char* const section : {".rela.dyn", ".rela"}) {
    const Result<ElfFile::Bytes> all = elf.section(section, kMaxGoTableBytes);
    for (std::size_t at = 0; all.ok() && at + sizeof(Elf64_Rela) <= all->size();
         at += sizeof(Elf64_Rela)) {
      Elf64_Rela one;
      std::memcpy(&one, all->data() + at, sizeof one);
      if (one.r_offset == address && ELF64_R_TYPE(one.r_info) == R_X86_64_RELATIVE) {
        return static_cast<std::uint64_t>(one.r_addend);
      }
    }
  }
  return content;
}

bool is_header(const std::uint8_t* bytes) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, bytes, sizeof magic);
  constexpr std::uint8_t kRest[] = {0, 0, 1, sizeof(std::uint64_t)};
  return (magic == k116 || magic == k118 || magic == k120) &&
         std::memcmp(bytes + sizeof magic, kRest, sizeof kRest) == 0;
}

// The table, up to the end of the section that it is in, and where it is loaded. A linker of C
// puts that of a program that is loaded anywhere among other data.
struct Found {
  ElfFile::Bytes bytes;
  std::uint64_t address = 0;
};
Found find_table(const ElfFile& elf) {
  constexpr std::size_t kAlignment = 32, kHeaderBytes = 8;
  for (const char* const section : {".gopclntab", ".data.rel.ro.gopclntab", ".data.rel.ro"}) {
    if (!elf.has(section)) continue;
    const std::uint64_t address = elf.section_address(section);
    Result<ElfFile::Bytes> bytes = elf.section(section, kMaxGoTableBytes);
    if (!bytes.ok()) return {};
    const std::size_t first = (kAlignment - address % kAlignment) % kAlignment;
    for (std::size_t at = first; at + kHeaderBytes <= bytes->size(); at += kAlignment) {
      if (!is_header(bytes->data() + at)) continue;
      bytes->erase(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(at));
      return {std::move(*bytes), address + at};
    }
  }
  return {};
}

std::span<const std::uint8_t> from(const ElfFile::Bytes& bytes, std::uint64_t at) {
  return std::span<const std::uint8_t>(bytes).subspan(std::min<std::uint64_t>(at, bytes.size()));
}

std::string text_at(const ElfFile::Bytes& bytes, std::uint64_t at) {
  const auto rest = from(bytes, at).first(std::min(from(bytes, at).size(), kMaxGoNameBytes));
  return std::string(FrameBytes(rest, 0).text());
}

// In the form of a uleb128 whose lowest bit is the sign.
std::int32_t signed_of(std::uint64_t value) {
  const auto half = static_cast<std::uint32_t>(value) >> 1;
  return static_cast<std::int32_t>((value & 1) != 0 ? ~half : half);
}

}  // namespace

std::optional<GoTable> GoTable::read(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64) return std::nullopt;
  Found found = find_table(elf);
  if (found.bytes.empty()) return std::nullopt;
  GoTable table;
  table.bytes_ = std::move(found.bytes);
  if (!table.read_functions(elf, found.address)) return std::nullopt;
  return table;
}

bool GoTable::read_functions(const ElfFile& elf, std::uint64_t address) {
  FrameBytes in(bytes_, 0);
  const auto magic = in.read<std::uint32_t>();
  const bool is_old = magic == k116;
  in.read<std::uint32_t>();
  const auto count = in.read<std::uint64_t>();
  in.read<std::uint64_t>();  // files
  std::uint64_t text = is_old ? 0 : in.read<std::uint64_t>();
  if (!is_old) text = relocated(elf, address + kWordsAt + 8 * kTextWord, text);
  const auto names = in.read<std::uint64_t>();
  in.read<std::uint64_t>();  // units
  in.read<std::uint64_t>();  // files
  steps_at_ = in.read<std::uint64_t>();
  const auto records = in.read<std::uint64_t>();
  if (!in.ok() || count == 0 || count > kMaxGoFunctions || (!is_old && text == 0)) return false;
  FrameBytes index(from(bytes_, records), 0);
  const auto next = [&] {
    return is_old ? index.read<std::uint64_t>() : std::uint64_t{index.read<std::uint32_t>()};
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    GoFunction one;
    one.address = text + next();
    const std::uint64_t record = next();
    if (!index.ok() || (!functions_.empty() && one.address < functions_.back().address)) {
      return false;
    }
    FrameBytes fields(from(bytes_, records + std::min<std::uint64_t>(record, bytes_.size())), 0);
    if (is_old) fields.read<std::uint64_t>();
    if (!is_old) fields.read<std::uint32_t>();
    const auto name = fields.read<std::uint32_t>();
    fields.take(8);
    one.steps = fields.read<std::uint32_t>();
    fields.take(magic == k120 ? 20 : 16);
    fields.read<std::uint8_t>();
    const auto flags = fields.read<std::uint8_t>();
    if (!fields.ok()) return false;
    one.name = text_at(bytes_, names + name);
    classify(one, flags);
    has_register_arguments_ = has_register_arguments_ || !is_old || flags != 0;
    if (!functions_.empty()) functions_.back().size = one.address - functions_.back().address;
    functions_.push_back(std::move(one));
  }
  begin_ = functions_.front().address;
  end_ = text + next();
  if (!index.ok() || end_ < functions_.back().address || !elf.offset_of(begin_) ||
      !elf.offset_of(end_ - 1)) {
    return false;
  }
  functions_.back().size = end_ - functions_.back().address;
  for (GoFunction& one : functions_) {
    one.size = std::min(one.size, kMaxFunctionBytes);
    const std::vector<Step> all = steps(one);
    if (!all.empty()) one.size = all.back().end - one.address;
  }
  return true;
}

std::vector<GoTable::Step> GoTable::steps(const GoFunction& function) const {
  std::vector<Step> all;
  if (function.steps == 0) return all;
  FrameBytes in(from(bytes_, steps_at_ + function.steps), 0);
  const std::uint64_t end = function.address + function.size;
  std::uint64_t at = function.address;
  std::int64_t depth = -1;
  while (at < end) {
    const std::uint64_t change = in.uleb();
    if (change == 0 && at != function.address) break;
    const std::uint64_t length = in.uleb();
    depth += signed_of(change);
    if (!in.ok() || length == 0 || depth < 0 || depth > kMaxFrameOffset - 8) break;
    const std::uint64_t to = at + std::min(length, end - at);
    all.push_back({at, to, static_cast<std::int32_t>(depth)});
    at = to;
  }
  return all;
}

std::vector<std::pair<std::string, const GoFunction*>> GoTable::named() const {
  struct Count {
    int of_go = 0, of_assembly = 0;
  };
  std::unordered_map<std::string_view, Count> counts;
  for (const GoFunction& one : functions_) {
    Count& count = counts[one.name];
    ++(one.is_assembly ? count.of_assembly : count.of_go);
  }
  std::vector<std::pair<std::string, const GoFunction*>> all;
  for (const GoFunction& one : functions_) {
    const Count count = counts[one.name];
    if (count.of_go > 1 || count.of_assembly > 1) continue;
    const bool is_called_by_another = one.is_assembly && count.of_go == 1;
    all.emplace_back(is_called_by_another ? one.name + ".abi0" : one.name, &one);
  }
  return all;
}

CallConvention GoTable::convention(std::uint64_t address, const std::string& name) const {
  if (address < begin_ || address >= end_) return CallConvention::kC;
  return has_register_arguments_ && !name.ends_with(".abi0") ? CallConvention::kGoRegisters
                                                             : CallConvention::kGoStack;
}

namespace {

// How many bytes `mov %rbp, depth - 8(%rsp)` has, if that is there; otherwise 0.
std::uint64_t saves_frame_pointer(const ElfFile& elf, std::uint64_t address, std::int32_t depth) {
  std::uint8_t code[8];
  const auto offset = elf.offset_of(address);
  if (!offset || !elf.read(*offset, code, sizeof code)) return 0;
  constexpr std::uint8_t kShort[] = {0x48, 0x89, 0x6c, 0x24}, kLong[] = {0x48, 0x89, 0xac, 0x24};
  if (std::memcmp(code, kShort, sizeof kShort) == 0 && code[4] == depth - 8) return 5;
  std::int32_t displacement = 0;
  std::memcpy(&displacement, code + sizeof kLong, sizeof displacement);
  return std::memcmp(code, kLong, sizeof kLong) == 0 && displacement == depth - 8 ? 8 : 0;
}

bool is_push_of_frame_pointer(const ElfFile& elf, std::uint64_t address) {
  std::uint8_t code = 0;
  const auto offset = elf.offset_of(address);
  return offset && elf.read(*offset, &code, 1) && code == 0x55;
}

// The rows of a function, in the places of the file.
class GoFrames {
 public:
  GoFrames(const GoTable& go, const ElfFile& elf, std::uint64_t bias, FrameTableMaker& to)
      : go_(go), elf_(elf), bias_(bias), to_(to) {}

  void add(const GoFunction& function) {
    if (function.comes_back && add_with_frame(function)) return;
    if (const auto whole = of_all(function)) {
      put(function.address, *whole);
      return put(function.address + function.size, {});
    }
    bool is_first = true, is_saved = false;
    for (const GoTable::Step& step : go_.steps(function)) {
      FrameRule rule;
      rule.base = FrameRule::Base::kStackPointer;
      rule.offset = step.depth + 8;
      if (step.depth > 0 && std::exchange(is_first, false)) {
        is_saved = step.depth == 8 && is_push_of_frame_pointer(elf_, step.begin - 1);
        if (const std::uint64_t length = saves_frame_pointer(elf_, step.begin, step.depth);
            length != 0 && length < step.end - step.begin) {
          put(step.begin, rule);
          is_saved = true;
          put(step.begin + length, saved(rule));
          continue;
        }
      }
      if (step.depth > 0) rule = is_saved ? saved(rule) : lost(rule);
      put(step.begin, rule);
    }
    put(function.address + function.size, {});
  }

 private:
  // Of one that goes on on another stack once it has a frame pointer of its own; false when it
  // has none.
  bool add_with_frame(const GoFunction& function) {
    const std::vector<GoTable::Step> steps = go_.steps(function);
    if (steps.size() != 3 || steps[0].depth != 0 || steps[2].depth != 0) return false;
    // mov %rbp, depth - 8(%rsp); lea depth - 8(%rsp), %rbp ... add $depth, %rsp
    const GoTable::Step& body = steps[1];
    const std::uint64_t length = saves_frame_pointer(elf_, body.begin, body.depth);
    const std::uint64_t add = body.depth < 128 ? 4 : 7;
    if (length == 0 || body.end - body.begin <= 2 * length + add) return false;
    FrameRule rule;
    rule.base = FrameRule::Base::kStackPointer;
    rule.offset = 8;
    put(steps[0].begin, rule);
    FrameRule inside = rule;
    inside.offset += body.depth;
    put(body.begin, inside);
    put(body.begin + length, saved(inside));
    put(body.begin + 2 * length, of_all(function).value_or(FrameRule()));
    put(body.end - add, inside);
    put(steps[2].begin, rule);
    put(function.address + function.size, {});
    return true;
  }
  // Of functions that are not what their steps say.
  static std::optional<FrameRule> of_all(const GoFunction& function) {
    FrameRule rule;
    if (is_one_of(kSignalReturns, function.name)) {
      rule.base = FrameRule::Base::kSignal;
      rule.offset = kSignalIp;
    } else if (function.is_outermost) {
      rule.base = FrameRule::Base::kOutermost;
    } else if (function.comes_back) {
      rule.base = FrameRule::Base::kOtherStack;
      rule.offset = 16;
      rule.saved = FrameRule::Saved::kAtFramePointer;
    } else if (function.changes_stack) {
      rule.base = FrameRule::Base::kUnsupported;
    } else {
      return std::nullopt;
    }
    return rule;
  }
  // Just below the return address.
  static FrameRule saved(FrameRule rule) {
    rule.saved = FrameRule::Saved::kAtCfa;
    rule.frame_pointer = -16;
    return rule;
  }
  static FrameRule lost(FrameRule rule) {
    rule.saved = FrameRule::Saved::kLost;
    return rule;
  }
  void put(std::uint64_t address, const FrameRule& rule) {
    to_.add(static_cast<std::uint32_t>(address - bias_), rule);
  }

  const GoTable& go_;
  const ElfFile& elf_;
  std::uint64_t bias_;
  FrameTableMaker& to_;
};

}  // namespace

FrameTable with_go_frames(const FrameTable& table, const GoTable& go, const ElfFile& elf) {
  const auto begin = elf.offset_of(go.begin()), last = elf.offset_of(go.end() - 1);
  if (!begin || !last || *last - *begin != go.end() - 1 - go.begin() ||
      *last >= std::numeric_limits<std::uint32_t>::max()) {
    return table;
  }
  const std::uint64_t end = *last + 1;
  FrameTableMaker maker;
  auto row = table.rows.begin();
  for (; row != table.rows.end() && row->offset < *begin; ++row) {
    maker.add(row->offset, table.rules[row->rule]);
  }
  maker.add(static_cast<std::uint32_t>(*begin), {});
  GoFrames frames(go, elf, go.begin() - *begin, maker);
  for (const GoFunction& one : go.functions()) {
    if (one.size != 0) frames.add(one);
  }
  FrameRule behind;
  for (; row != table.rows.end() && row->offset < end; ++row) behind = table.rules[row->rule];
  maker.add(static_cast<std::uint32_t>(end), behind);
  for (; row != table.rows.end(); ++row) maker.add(row->offset, table.rules[row->rule]);
  return maker.take();
}

}  // namespace dt::symbol
