// Code without call frame information: what its instructions say of the stack.

#include "symbol/frames/code_frames.h"

#include <gtest/gtest.h>

#include <string>

#include "symbol/frames/call_frames_test.h"

namespace dt::symbol {
namespace {

// Of code that begins with a call of what is behind it: there a function begins.
std::string frames_of(const Bytes& code) {
  Bytes all = {0xe8, 0, 0, 0, 0};
  return table_of(elf_file(all.put(code), ".text"));
}

const Bytes kPushBp = {0x55}, kPopBp = {0x5d}, kPushBx = {0x53}, kPopBx = {0x5b}, kRet = {0xc3};
const Bytes kMovBpSp = {0x48, 0x89, 0xe5}, kSub24 = {0x48, 0x83, 0xec, 24};
const Bytes kAdd24 = {0x48, 0x83, 0xc4, 24}, kLeave = {0xc9}, kAnd = {0x48, 0x83, 0xe4, 0xf0};

Bytes operator+(Bytes a, const Bytes& b) { return a.put(b); }

TEST(CodeFrames, FollowTheStackPointer) {
  EXPECT_EQ(frames_of(kPushBp + kPushBx + kSub24 + kAdd24 + kPopBx + kPopBp + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2006 rsp+16 @cfa-16 rbx lost, "
            "2007 rsp+24 @cfa-16 rbx lost, 200b rsp+48 @cfa-16 rbx lost, "
            "200f rsp+24 @cfa-16 rbx lost, 2010 rsp+16 @cfa-16 rbx lost, 2011 rsp+8 rbx lost, "
            "2012 -");
}

TEST(CodeFrames, FollowTheFramePointerWhereTheStackIsAligned) {
  EXPECT_EQ(frames_of(kPushBp + kMovBpSp + kAnd + Bytes{0x90} + kLeave + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2006 rsp+16 @cfa-16 rbx lost, "
            "200d rbp+16 @cfa-16 rbx lost, 200f rsp+8 rbx lost, 2010 -");
  EXPECT_EQ(frames_of(kAnd + Bytes{0x90} + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2009 unsupported, 200b -");
}

TEST(CodeFrames, FollowJumps) {
  // je over a return; both ways have the same frame.
  EXPECT_EQ(frames_of(kPushBx + Bytes{0x74, 2} + kPopBx + kRet + kPopBx + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2006 rsp+16 rbx lost, 2009 rsp+8 rbx lost, "
            "200a rsp+16 rbx lost, 200b rsp+8 rbx lost, 200c -");
  // By a table: what is behind it.
  EXPECT_EQ(frames_of(kPushBx + Bytes{0xff, 0xe0} + kPopBx + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2006 rsp+16 rbx lost, 2009 rsp+8 rbx lost, "
            "200a -");
}

TEST(CodeFrames, OfWhatIsNotCertainAreNone) {
  // Reached in two states, and a return with something on the stack.
  EXPECT_EQ(frames_of(Bytes{0x74, 1} + kPushBx + kRet), "2000 unsupported, 2009 -");
  EXPECT_EQ(frames_of(kPushBx + kRet), "2000 unsupported, 2007 -");
  // What does not save rbp loses it.
  EXPECT_EQ(frames_of(Bytes{0x31, 0xed} + kRet),
            "2000 unsupported, 2005 rsp+8 rbx lost, 2007 rsp+8 lost rbx lost, 2008 -");
}

TEST(CodeFrames, KnowWhereSignalsReturn) {
  EXPECT_EQ(frames_of(kRet + Bytes{0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05} + kRet),
            "2000 unsupported, 2005 signal 168, 200f unsupported, 2010 -");
}

}  // namespace
}  // namespace dt::symbol
