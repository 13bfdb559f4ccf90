// The instructions of call frame information: what each of them makes of a table.

#include "symbol/frames/frame_program.h"

#include <gtest/gtest.h>

#include "symbol/frames/call_frames_test.h"

namespace dt::symbol {
namespace {

TEST(CallFrames, FollowEveryInstruction) {
  const struct {
    const char* what;
    Bytes instructions;
    const char* wanted;
  } table[] = {
      {"nop", {0, 0}, "1000 rsp+8, 1010 -"},
      {"push, mov, pop",
       {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x48, 0x0c, 7, 8},
       "1000 rsp+8, 1001 rsp+16 @cfa-16, 1004 rbp+16 @cfa-16, 100c rsp+8 @cfa-16, 1010 -"},
      {"set_loc", Bytes{1}.put(kCodeAddress + 5).put(Bytes{0x0e, 24}),
       "1000 rsp+8, 1005 rsp+24, 1010 -"},
      {"advance_loc1", {2, 9, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"advance_loc2", {3, 9, 0, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"advance_loc4", {4, 9, 0, 0, 0, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"MIPS_advance_loc8",
       {0x1d, 9, 0, 0, 0, 0, 0, 0, 0, 0x0e, 24},
       "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"by nothing", {0x40, 0x0e, 24}, "1000 rsp+24, 1010 -"},
      {"beyond the end", {0x50, 0x0e, 24}, "1000 rsp+8, 1010 -"},
      {"to what is the same", {0x44, 0x0e, 8, 0x44, 0x0e, 16}, "1000 rsp+8, 1008 rsp+16, 1010 -"},
      {"def_cfa", {0x0c, 6, 32}, "1000 rbp+32, 1010 -"},
      {"def_cfa of another", {0x0c, 10, 0}, "1000 r10+0, 1010 -"},
      {"def_cfa of rip", {0x0c, 16, 0}, "1000 unsupported, 1010 -"},
      {"def_cfa of none", {0x0c, 0x87, 2, 0}, "1000 unsupported, 1010 -"},
      {"def_cfa_sf", {0x12, 6, 0x7d}, "1000 rbp+24, 1010 -"},
      {"def_cfa_register", {0x0d, 3}, "1000 r3+8, 1010 -"},
      {"def_cfa_offset", {0x0e, 0x80, 0x20}, "1000 rsp+4096, 1010 -"},
      {"def_cfa_offset_sf", {0x13, 0x02}, "1000 rsp-16, 1010 -"},
      {"def_cfa_expression of rsp", {0x0f, 2, 0x77, 16}, "1000 rsp+16, 1010 -"},
      {"of r10 in two bytes", {0x0f, 3, 0x92, 10, 16}, "1000 r10+16, 1010 -"},
      {"of memory at rbp", {0x0f, 3, 0x76, 0x78, 6}, "1000 *(rbp-8), 1010 -"},
      {"of memory at rsp", {0x0f, 4, 0x77, 0xa0, 1, 6}, "1000 *(rsp+160), 1010 -"},
      {"and 8", {0x0f, 6, 0x77, 0xa0, 1, 6, 0x23, 8}, "1000 *(rsp+160)+8, 1010 -"},
      {"and 256", {0x0f, 6, 0x77, 8, 6, 0x23, 0x80, 2}, "1000 unsupported, 1010 -"},
      {"of memory at rax", {0x0f, 3, 0x70, 8, 6}, "1000 unsupported, 1010 -"},
      {"of a .plt",
       {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22},
       "1000 plt 11, 1010 -"},
      {"of almost a .plt",
       {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x1c},
       "1000 unsupported, 1010 -"},
      {"of anything else", {0x0f, 2, 0x31, 0x22}, "1000 unsupported, 1010 -"},
      {"then def_cfa", {0x0f, 0, 0x44, 0x0c, 7, 8}, "1000 unsupported, 1004 rsp+8, 1010 -"},
      {"offset_extended", {5, 6, 3}, "1000 rsp+8 @cfa-24, 1010 -"},
      {"offset_extended_sf", {0x11, 6, 0x7f}, "1000 rsp+8 @cfa+8, 1010 -"},
      {"GNU_negative_offset_extended", {0x2f, 6, 2}, "1000 rsp+8 @cfa+16, 1010 -"},
      {"of another register", {0x8d, 2, 5, 12, 3}, "1000 rsp+8, 1010 -"},
      {"restore", {0x86, 2, 0x44, 0xc6}, "1000 rsp+8 @cfa-16, 1004 rsp+8, 1010 -"},
      {"restore_extended", {0x86, 2, 0x44, 6, 6}, "1000 rsp+8 @cfa-16, 1004 rsp+8, 1010 -"},
      {"restore of rip", {7, 16, 0x44, 0xd0}, "1000 outermost, 1004 rsp+8, 1010 -"},
      {"remember_state, restore_state",
       {0x0e, 16, 0x86, 2, 0x0a, 0x44, 0x0e, 8, 0xc6, 0x44, 0x0b},
       "1000 rsp+16 @cfa-16, 1004 rsp+8, 1008 rsp+16 @cfa-16, 1010 -"},
      {"restore_state of nothing", {0x44, 0x0b, 0x44}, "1000 rsp+8, 1004 unsupported, 1010 -"},
      {"undefined rip", {7, 16}, "1000 outermost, 1010 -"},
      {"undefined rbp", {7, 6}, "1000 rsp+8 lost, 1010 -"},
      {"same_value of rbp", {7, 6, 0x44, 8, 6}, "1000 rsp+8 lost, 1004 rsp+8, 1010 -"},
      {"same_value of rip", {8, 16}, "1000 unsupported, 1010 -"},
      {"register", {9, 6, 3}, "1000 rsp+8 lost, 1010 -"},
      {"rbx", {0x0e, 16, 0x83, 3}, "1000 rsp+16 rbx@3, 1010 -"},
      {"and rbp", {0x86, 2, 0x44, 0x83, 3}, "1000 rsp+8 @cfa-16, 1004 rsp+8 @cfa-16 rbx@3, 1010 -"},
      {"rbx as it was", {0x83, 3, 0x44, 0xc3}, "1000 rsp+8 rbx@3, 1004 rsp+8, 1010 -"},
      {"rbx far away",
       {0x83, 0xfe, 1, 0x44, 0x83, 0xff, 1},
       "1000 rsp+8 rbx@254, 1004 rsp+8 rbx lost, 1010 -"},
      {"rbx above the CFA", {0x11, 3, 0x7f}, "1000 rsp+8 rbx lost, 1010 -"},
      {"undefined rbx", {7, 3}, "1000 rsp+8 rbx lost, 1010 -"},
      {"rbx at rbp", {0x10, 3, 2, 0x76, 0x70}, "1000 rsp+8 rbx lost, 1010 -"},
      {"rip elsewhere", {0x90, 2}, "1000 unsupported, 1010 -"},
      {"rsp that was saved", {0x87, 2}, "1000 unsupported, 1010 -"},
      {"val_offset of rsp", {0x14, 7, 0}, "1000 rsp+8, 1010 -"},
      {"another val_offset of rsp", {0x14, 7, 1}, "1000 unsupported, 1010 -"},
      {"val_offset_sf", {0x15, 6, 1}, "1000 rsp+8 lost, 1010 -"},
      {"val_expression", {0x16, 6, 2, 0x76, 0}, "1000 rsp+8 lost, 1010 -"},
      {"expression at rbp", {0x10, 6, 2, 0x76, 0x70}, "1000 rsp+8 @rbp-16, 1010 -"},
      {"expression at rsp", {0x10, 6, 2, 0x77, 0}, "1000 rsp+8 lost, 1010 -"},
      {"expression of more", {0x10, 6, 3, 0x76, 0, 6}, "1000 rsp+8 lost, 1010 -"},
      {"GNU_args_size", {0x2e, 0x81, 1, 0x0e, 16}, "1000 rsp+16, 1010 -"},
  };
  for (const auto& each : table) {
    EXPECT_EQ(table_of_function(each.instructions), each.wanted) << each.what;
  }
}

TEST(CallFrames, AreUnsupportedFromTheirDamageOn) {
  const Bytes damaged[] = {
      {0x17},                       // no instruction
      {0x2d},                       // one of another processor
      {0x0e},                       // without its operand
      {0x0e, 0x80},                 // with half of it
      {0x0c, 7},                    //
      {0x0f, 5, 0x77, 8},           // an expression that is cut off
      {0x10, 6, 1},                 //
      {3, 1},                       // a short step
      {1, 0, 0, 0, 0, 0, 0, 0, 0},  // backwards
      {0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0},  // too long
  };
  for (const Bytes& each : damaged) {
    EXPECT_EQ(table_of_function(Bytes{0x44, 0x0e, 16, 0x44}.put(each)),
              "1000 rsp+8, 1004 rsp+16, 1008 unsupported, 1010 -");
  }
}

TEST(CallFrames, WithNumbersThatDoNotFitAreNotFollowed) {
  // CFA = rsp + 2^23 - 1 and one more, and as much less.
  EXPECT_EQ(table_of_function({0x0e, 0xff, 0xff, 0xff, 3}), "1000 rsp+8388607, 1010 -");
  EXPECT_EQ(table_of_function({0x0e, 0x80, 0x80, 0x80, 4}), "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function({0x0f, 5, 0x77, 0x81, 0x80, 0x80, 0x7c}), "1000 rsp-8388607, 1010 -");
  EXPECT_EQ(table_of_function({0x0f, 5, 0x77, 0x80, 0x80, 0x80, 0x7c}), "1000 unsupported, 1010 -");
  // rbp at CFA - 2^15 and 8 more.
  EXPECT_EQ(table_of_function({0x86, 0x80, 0x20}), "1000 rsp+8 @cfa-32768, 1010 -");
  EXPECT_EQ(table_of_function({0x86, 0x81, 0x20}), "1000 rsp+8 lost, 1010 -");
}

TEST(CallFrames, RememberOnlySoMuch) {
  Bytes deep;
  for (int i = 0; i < 64; ++i) deep.put(Bytes{0x0a});
  EXPECT_EQ(table_of_function(deep), "1000 rsp+8, 1010 -");
  EXPECT_EQ(table_of_function(deep.put(Bytes{0x0a})), "1000 unsupported, 1010 -");
}

TEST(CallFrames, HaveFactors) {
  // 4 and -16.
  const Bytes body = {1, 'z', 'R', 0, 4, 0x70, 16, 1, 0, 0x0c, 7, 8, 0x11, 16, 0x7f};
  EXPECT_EQ(table_of_function({0x42, 0x0e, 16, 0x86, 1}, body), "1000 unsupported, 1010 -");
  // 4 and -1: CFA - 8 is the eighth.
  const Bytes other = {1, 'z', 'R', 0, 4, 0x7f, 16, 1, 0, 0x0c, 7, 8, 0x90, 8};
  EXPECT_EQ(table_of_function({0x42, 0x0e, 16, 0x86, 16}, other),
            "1000 rsp+8, 1008 rsp+16 @cfa-16, 1010 -");
}

TEST(CallFrames, AreOfSignalHandlersWhereAUcontextIsOnTheStack) {
  const Bytes body = {1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0};
  const auto place = [](int number, int offset) {
    return Bytes{0x10, number, 3, 0x77, (offset & 0x7f) | 0x80, offset >> 7};
  };
  const Bytes cfa = {0x0f, 4, 0x77, 0xa0, 1, 6};
  const Bytes no_rbx = Bytes(cfa).put(place(6, 120)).put(place(16, 168));
  EXPECT_EQ(table_of_function(Bytes(no_rbx).put(place(3, 128)).put(place(7, 160)), body),
            "1000 signal 168, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(no_rbx).put(place(3, 128)), body), "1000 signal 168, 1010 -");
  EXPECT_EQ(table_of_function(no_rbx, body), "1000 signal 168 rbx lost, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(cfa).put(place(6, 128)).put(place(16, 168)), body),
            "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(cfa).put(place(6, 120)).put(place(16, 176)), body),
            "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function({0x0c, 7, 8, 0x90, 1}, body), "1000 unsupported, 1010 -");
  // As .debug_frame has it, where functions have no data.
  Bytes code = kSixteenBytes;
  code.put(no_rbx).put(place(3, 128));
  EXPECT_EQ(
      table_of(elf_file(entry(~0U, {1, 'S', 0, 1, 0x78, 16}).put(entry(0, code)), ".debug_frame")),
      "1000 signal 168, 1010 -");
}

}  // namespace
}  // namespace dt::symbol
