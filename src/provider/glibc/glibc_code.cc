// See glibc_code.h.

#include "provider/glibc/glibc_code.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "symbol/code/starts.h"

namespace dt::provider {
namespace {

using machine::Instruction;
using symbol::Function;

constexpr std::uint64_t kMaxCode = 1 << 16;
constexpr std::size_t kMaxReached = 500;  // functions
constexpr std::uint8_t kCall = 0xe8;

// What comes before the end of a program, and calls much.
constexpr const char* kEnds[] = {"__assert_fail", "__libc_fatal", "__stack_chk_fail", "abort"};

// The address that the instruction makes: lea of one relative to it, or mov of one below 4 GB.
std::optional<std::uint64_t> address_made(const GlibcCode::Code& code, const Instruction& one) {
  const std::uint8_t* const bytes = &code.bytes[one.offset];
  std::int32_t number = 0;
  const bool is_lea =
      one.length == 7 && (bytes[0] & 0xfb) == 0x48 && bytes[1] == 0x8d && (bytes[2] & 0xc7) == 0x05;
  const bool is_mov = one.length == 5 && (bytes[0] & 0xf8) == 0xb8;
  if (!is_lea && !is_mov) return std::nullopt;
  std::memcpy(&number, bytes + one.length - sizeof number, sizeof number);
  if (is_mov) return static_cast<std::uint32_t>(number);
  return code.address + one.offset + one.length + static_cast<std::uint64_t>(std::int64_t{number});
}

}  // namespace

bool is_glibc(const Image& image) {
  const symbol::Functions& functions = image.functions();
  const auto has = [&functions](const char* name) { return !functions.named(name).empty(); };
  return has("pthread_mutex_lock") && (has("gnu_get_libc_version") || has("__lll_lock_wait"));
}

Error unknown_glibc(const std::string& what) {
  return Error::of(fmt::format("{}, as no glibc has it that is known", what));
}

Status may_break(const Image& image, std::span<const std::uint64_t> places) {
  for (const std::uint64_t place : places) {
    if (image.may_break_at(place)) continue;
    return unknown_glibc(fmt::format("no breakpoint may stand at 0x{:x} of the file", place));
  }
  return {};
}

GlibcCode::GlibcCode(const Image& image)
    : image_(image), starts_(symbol::code_starts(image.elf())) {
  // A program that is linked statically has no such table, but symbols of all.
  const bool has_table = !starts_.empty();
  for (const Function& one : image.functions().all()) {
    if (!has_table && !one.is_resolver) starts_.push_back(one.address);
  }
  for (const char* name : kEnds) {
    for (const Function* one : image.functions().named(name)) ends_.insert(one->address);
  }
}

Result<const GlibcCode::Code*> GlibcCode::at(std::uint64_t address) {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
  if (after == starts_.begin() || after == starts_.end()) {
    return unknown_glibc(fmt::format("nothing says what function the code at 0x{:x} is", address));
  }
  Code& code = codes_[*std::prev(after)];
  if (!code.bytes.empty()) return static_cast<const Code*>(&code);
  code.address = *std::prev(after);
  code.bytes.resize(std::min(*after - code.address, kMaxCode));
  const auto offset = image_.elf().offset_of(code.address);
  if (!offset || !image_.elf().read(*offset, code.bytes.data(), code.bytes.size())) {
    return unknown_glibc(fmt::format("the code at 0x{:x} cannot be read", code.address));
  }
  DT_ASSIGN(code.instructions,
            machine::decode_to(code.bytes, std::numeric_limits<std::uint32_t>::max()));
  return static_cast<const Code*>(&code);
}

std::vector<std::uint64_t> GlibcCode::jumps_out(const Code& code) const {
  std::vector<std::uint64_t> targets;
  for (const Instruction& one : code.instructions) {
    const bool jumps =
        one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch;
    if (!jumps || one.target == std::numeric_limits<std::int64_t>::min()) continue;
    const bool is_out =
        one.target < 0 || one.target >= static_cast<std::int64_t>(code.bytes.size());
    if (is_out) targets.push_back(code.address + static_cast<std::uint64_t>(one.target));
  }
  return targets;
}

std::vector<std::uint64_t> GlibcCode::calls_of(const Code& code) const {
  std::vector<std::uint64_t> targets;
  for (const Instruction& one : code.instructions) {
    std::int32_t distance = 0;
    if (one.length != 1 + sizeof distance || code.bytes[one.offset] != kCall) continue;
    std::memcpy(&distance, &code.bytes[one.offset + 1], sizeof distance);
    targets.push_back(code.address + one.offset + one.length +
                      static_cast<std::uint64_t>(std::int64_t{distance}));
  }
  std::erase_if(targets, [this](std::uint64_t one) { return ends_.contains(one); });
  return targets;
}

std::vector<std::uint64_t> GlibcCode::taken_by(const Code& code) const {
  std::vector<std::uint64_t> taken;
  for (const Instruction& one : code.instructions) {
    const auto address = address_made(code, one);
    if (address && std::binary_search(starts_.begin(), starts_.end(), *address)) {
      taken.push_back(*address);
    }
  }
  return taken;
}

Result<std::vector<const GlibcCode::Code*>> GlibcCode::with_jumps(std::uint64_t address) {
  DT_ASSIGN(const Code* first, at(address));
  std::vector<const Code*> all = {first};
  for (std::size_t i = 0; i < all.size() && all.size() < kMaxReached; ++i) {
    for (const std::uint64_t target : jumps_out(*all[i])) {
      DT_ASSIGN(const Code* next, at(target));
      if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
    }
  }
  return all;
}

std::vector<std::uint64_t> GlibcCode::versions(const char* name) {
  std::set<std::uint64_t> all;
  for (const Function* one : image_.functions().named(name)) all.insert(one->address);
  std::vector<std::uint64_t> own;
  for (const std::uint64_t address : all) {
    const Result<const Code*> code = at(address);
    std::vector<std::uint64_t> targets;
    if (code.ok()) {
      targets = calls_of(**code);
      for (const std::uint64_t jump : jumps_out(**code)) targets.push_back(jump);
    }
    const bool is_older = std::any_of(targets.begin(), targets.end(), [&](std::uint64_t target) {
      return target != address && all.contains(target);
    });
    if (!is_older) own.push_back(address);
  }
  return own;
}

Result<CallSites> call_sites(GlibcCode& glibc, std::uint64_t address, const char* name) {
  DT_ASSIGN(const GlibcCode::Code* code, glibc.at(address));
  const auto site = machine::entry_site(code->bytes);
  if (!site) {
    return unknown_glibc(fmt::format("no breakpoint may stand where '{}' begins", name));
  }
  CallSites sites;
  sites.entry = glibc.offset_of(*code) + *site;
  DT_ASSIGN(const std::vector<const GlibcCode::Code*> parts, glibc.with_jumps(code->address));
  for (const GlibcCode::Code* part : parts) {
    for (const Instruction& one : part->instructions) {
      if (one.flow != Instruction::Flow::kReturn) continue;
      sites.returns.push_back(glibc.offset_of(*part) + one.offset);
    }
  }
  if (sites.returns.empty()) return unknown_glibc(fmt::format("'{}' never returns", name));
  DT_TRY(may_break(glibc.image(), {&sites.entry, 1}));
  DT_TRY(may_break(glibc.image(), sites.returns));
  return sites;
}

}  // namespace dt::provider
