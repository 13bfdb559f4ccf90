// The tables of this system's programs say what elfutils says.

#include <gtest/gtest.h>

#if __has_include(<elfutils/libdw.h>)

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "symbol/frames/call_frames.h"

namespace dt::symbol {
namespace {

using Base = FrameRule::Base;
using Saved = FrameRule::Saved;
using Operations = std::span<const Dwarf_Op>;

constexpr int kRbx = 3, kRbp = 6, kRsp = 7, kRip = 16;

std::int64_t sign_extended(Dwarf_Word number) { return static_cast<std::int64_t>(number); }

// What an operation adds to, and in `offset` what it adds; -1 for other operations.
int register_of(const Dwarf_Op& one, std::int64_t& offset) {
  if (one.atom >= DW_OP_breg0 && one.atom <= DW_OP_breg31) {
    offset = sign_extended(one.number);
    return one.atom - DW_OP_breg0;
  }
  if (one.atom == DW_OP_bregx) {
    offset = sign_extended(one.number2);
    return static_cast<int>(one.number);
  }
  return -1;
}

// The expression of a register that is saved in memory: libdw has the CFA pushed before.
Operations without_cfa(Operations all) {
  return !all.empty() && all[0].atom == DW_OP_call_frame_cfa ? all.subspan(1) : all;
}

// Where it is saved, if at the CFA + offset.
bool is_at_cfa(Operations all, std::int64_t& offset) {
  if (all.empty() || all[0].atom != DW_OP_call_frame_cfa || all.size() > 2) return false;
  offset = 0;
  if (all.size() == 1) return true;
  offset = sign_extended(all[1].number);
  return all[1].atom == DW_OP_plus_uconst;
}

bool is_at_register(Operations all, int number, std::int64_t& offset) {
  all = without_cfa(all);
  return all.size() == 1 && register_of(all[0], offset) == number;
}

// What is at a register, and perhaps a number more.
bool is_memory(Operations all) {
  if (all.size() < 2 || all.size() > 3 || all[1].atom != DW_OP_deref) return false;
  return all.size() == 2 || (all[2].atom == DW_OP_plus_uconst && all[2].number < 256);
}

FrameRule cfa_rule(Operations all) {
  FrameRule rule;
  rule.base = Base::kUnsupported;
  std::int64_t offset = 0;
  const int number = all.empty() ? -1 : register_of(all[0], offset);
  if (number < 0) return rule;
  rule.offset = static_cast<std::int32_t>(offset);
  const std::uint8_t plt[] = {DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0,
                              DW_OP_ge,     DW_OP_lit3,  DW_OP_shl, DW_OP_plus};
  if (all.size() == 1) {
    rule.base = number == kRsp   ? Base::kStackPointer
                : number == kRbp ? Base::kFramePointer
                                 : Base::kRegister;
    if (rule.base == Base::kRegister) rule.number = static_cast<std::uint8_t>(number);
  } else if (is_memory(all) && (number == kRsp || number == kRbp)) {
    rule.base = number == kRsp ? Base::kStackPointerMemory : Base::kFramePointerMemory;
    rule.number = static_cast<std::uint8_t>(all.size() == 3 ? all[2].number : 0);
  } else if (all.size() == 1 + std::size(plt) && number == kRsp && offset == 8) {
    for (std::size_t i = 0; i < std::size(plt); ++i) {
      if (plt[i] != 0 && all[i + 1].atom != plt[i]) return rule;
    }
    rule.base = Base::kPlt;
    rule.offset = all[4].atom - DW_OP_lit0;
  }
  return rule;
}

// What libdw says of one address, as a rule.
class Elfutils {
 public:
  explicit Elfutils(Elf* elf) : frames_(dwarf_getcfi_elf(elf), &dwarf_cfi_end) {}

  FrameRule at(Dwarf_Addr address) const {
    Dwarf_Frame* found = nullptr;
    if (dwarf_cfi_addrframe(frames_.get(), address, &found) != 0) return {};
    const std::unique_ptr<Dwarf_Frame, decltype(&std::free)> frame(found, &std::free);
    return rule_of(found);
  }
  bool is_valid() const { return frames_ != nullptr; }

 private:
  static FrameRule rule_of(Dwarf_Frame* frame) {
    FrameRule unsupported;
    unsupported.base = Base::kUnsupported;
    Dwarf_Addr begin = 0, end = 0;
    bool is_signal = false;
    if (dwarf_frame_info(frame, &begin, &end, &is_signal) != kRip) return unsupported;
    Dwarf_Op memory[3];
    const Operations rip = place(frame, kRip, memory);
    std::int64_t offset = 0;
    if (rip.empty()) {
      FrameRule rule;
      rule.base = rip.data() == memory ? Base::kOutermost : Base::kUnsupported;
      return rule;
    }
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(frame, &operations, &count) != 0) return unsupported;
    FrameRule rule = cfa_rule({operations, count});
    if (is_signal) {
      const bool has_ucontext = is_at_register(rip, kRsp, offset) &&
                                is_saved(frame, 7, offset - 8) &&
                                is_saved(frame, kRbp, offset - 48) &&
                                rule.base == Base::kStackPointerMemory && rule.offset == offset - 8;
      if (!has_ucontext) return unsupported;
      rule.base = Base::kSignal;
      rule.offset = static_cast<std::int32_t>(offset);
      if (!is_saved(frame, kRbx, offset - 40)) rule.rbx = FrameRule::kRbxLost;
      return rule;
    }
    if (!is_at_cfa(rip, offset) || offset != -8 || rule.base == Base::kUnsupported) {
      return unsupported;
    }
    Dwarf_Op stack_memory[3];
    const Operations rsp = place(frame, kRsp, stack_memory);  // the CFA as a value
    if (rsp.size() != 2 || rsp[1].atom != DW_OP_stack_value) return unsupported;
    set_saved(frame, rule);
    set_rbx(frame, rule);
    return rule;
  }

  // Empty and not `memory`: in the same register; empty and `memory`: nowhere.
  static Operations place(Dwarf_Frame* frame, int number, Dwarf_Op (&memory)[3]) {
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    EXPECT_EQ(dwarf_frame_register(frame, number, memory, &operations, &count), 0);
    return {operations, count};
  }
  static bool is_saved(Dwarf_Frame* frame, int number, std::int64_t at) {
    Dwarf_Op memory[3];
    std::int64_t offset = 0;
    return is_at_register(place(frame, number, memory), kRsp, offset) && offset == at;
  }
  static void set_saved(Dwarf_Frame* frame, FrameRule& rule) {
    Dwarf_Op memory[3];
    const Operations all = place(frame, kRbp, memory);
    std::int64_t offset = 0;
    rule.saved = Saved::kLost;
    if (all.empty() && all.data() != memory) {
      rule.saved = Saved::kSame;
    } else if (is_at_cfa(all, offset)) {
      rule.saved = Saved::kAtCfa;
    } else if (is_at_register(all, kRbp, offset)) {
      rule.saved = Saved::kAtFramePointer;
    }
    rule.frame_pointer = static_cast<std::int16_t>(offset);
  }

  static void set_rbx(Dwarf_Frame* frame, FrameRule& rule) {
    Dwarf_Op memory[3];
    const Operations all = place(frame, kRbx, memory);
    std::int64_t offset = 0;
    if (all.empty()) return;  // in libdw, a register without a rule has no value
    rule.rbx = FrameRule::kRbxLost;
    if (is_at_cfa(all, offset) && offset < 0 && offset % 8 == 0 && offset > -8 * 255) {
      rule.rbx = static_cast<std::uint8_t>(-offset / 8);
    }
  }

  std::unique_ptr<Dwarf_CFI, decltype(&dwarf_cfi_end)> frames_;
};

std::string text(const FrameRule& rule) {
  return fmt::format("base {} number {} offset {} saved {} {} rbx {}", static_cast<int>(rule.base),
                     rule.number, rule.offset, static_cast<int>(rule.saved), rule.frame_pointer,
                     rule.rbx);
}

// Compares both ends of every row. True when there is such a file.
void compare(const char* path, bool& is_there) {
  const auto elf = ElfFile::open(path);
  is_there = elf.ok();
  if (!is_there) return;
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, decltype(&elf_end)> other(
      elf_begin(elf->descriptor(), ELF_C_READ_MMAP, nullptr), &elf_end);
  const Elfutils elfutils(other.get());
  ASSERT_TRUE(elfutils.is_valid()) << path;
  const auto table = frame_table(*elf);
  ASSERT_TRUE(table.ok()) << path << ": " << table.error().text;
  ASSERT_GT(table->rows.size(), 500U) << path;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i + 1 < table->rows.size() && wrong < 20; ++i) {
    const FrameRule& rule = table->rules[table->rows[i].rule];
    for (const std::uint32_t offset : {table->rows[i].offset, table->rows[i + 1].offset - 1}) {
      const auto address = elf->address_of(offset);
      if (!address) continue;  // between two segments
      const FrameRule wanted = elfutils.at(*address);
      if (rule == wanted) continue;
      ++wrong;
      ADD_FAILURE() << fmt::format("{}: {:x} (row {}): {}, of elfutils: {}", path, *address, i,
                                   text(rule), text(wanted));
    }
  }
}

TEST(CallFramesOfThisSystem, AreThoseOfElfutils) {
  const char* const paths[] = {
      "/lib/x86_64-linux-gnu/libc.so.6",
      "/lib64/ld-linux-x86-64.so.2",
      "/lib/x86_64-linux-gnu/libstdc++.so.6",
      "/lib/x86_64-linux-gnu/libgcc_s.so.1",
      "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
      "/bin/bash",
      "/usr/bin/python3",
      "/usr/bin/perl",
      "/proc/self/exe",
  };
  std::size_t compared = 0;
  for (const char* const path : paths) {
    bool is_there = false;
    ASSERT_NO_FATAL_FAILURE(compare(path, is_there));
    compared += is_there ? 1 : 0;
  }
  EXPECT_GE(compared, 1U);
}

}  // namespace
}  // namespace dt::symbol

#else

TEST(CallFramesOfThisSystem, AreThoseOfElfutils) { GTEST_SKIP() << "libdw-dev is not installed"; }

#endif
