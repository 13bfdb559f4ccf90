// What an instruction does to registers, and the places that its operands mean.

#include "machine/x86_64/decoder.h"

#include <gtest/gtest.h>

#include <vector>

namespace dt::machine {
namespace {

Decoded decode(const std::vector<std::uint8_t>& code) {
  Decoded out;
  EXPECT_TRUE(Decoder().decode(code, out));
  EXPECT_EQ(out.length, code.size());
  return out;
}

TEST(Decoder, NamesTheRegistersOfAnInstruction) {
  const Decoded move = decode({0x48, 0x89, 0xe5});  // mov %rsp,%rbp
  EXPECT_EQ(move.mnemonic, Mnemonic::kMov);
  EXPECT_TRUE(move.is_register(0, Register::kBp));
  EXPECT_TRUE(move.is_register(1, Register::kSp));
  EXPECT_TRUE(move.writes(Register::kBp));
  EXPECT_FALSE(move.writes(Register::kSp));
}

TEST(Decoder, AWriteToAPartOfARegisterIsOneToTheRegister) {
  const Decoded set = decode({0x40, 0xb6, 0x05});  // mov $5,%sil
  EXPECT_TRUE(set.writes(Register::kSi));
  EXPECT_FALSE(set.is_register(0, Register::kSi));
  EXPECT_EQ(set.immediate(1), 5);
}

TEST(Decoder, WhatAPushDoesIsToTheStackPointer) {
  const Decoded push = decode({0x41, 0x57});  // push %r15
  EXPECT_EQ(push.mnemonic, Mnemonic::kPush);
  EXPECT_TRUE(push.is_register(0, Register::kR15));
  EXPECT_TRUE(push.writes(Register::kSp));
}

TEST(Decoder, ADisplacementHasNoIndex) {
  const Decoded plain = decode({0x48, 0x8d, 0x65, 0xf0});  // lea -16(%rbp),%rsp
  EXPECT_EQ(plain.displacement(1, Register::kBp), -16);
  EXPECT_EQ(plain.displacement(1, Register::kSp), std::nullopt);
  const Decoded indexed = decode({0x48, 0x8d, 0x04, 0x0f});  // lea (%rdi,%rcx),%rax
  EXPECT_EQ(indexed.displacement(1, Register::kDi), std::nullopt);
}

TEST(Decoder, AddressesAreCountedFromTheNextInstruction) {
  const Decoded load = decode({0x48, 0x8b, 0x05, 0x10, 0, 0, 0});  // mov 16(%rip),%rax
  EXPECT_EQ(load.address(1, 0x1000), 0x1017U);
  EXPECT_EQ(load.address(0, 0x1000), std::nullopt);
  const Decoded call = decode({0xe8, 0xfb, 0xff, 0xff, 0xff});  // call itself
  EXPECT_EQ(call.target(7), 7);
  EXPECT_EQ(call.address(0, 0x1000), 0x1000U);
  const Decoded jump = decode({0xff, 0xe0});  // jmp *%rax
  EXPECT_TRUE(jump.is_unconditional_jump);
  EXPECT_EQ(jump.target(0), std::nullopt);
  EXPECT_EQ(jump.address(0, 0x1000), std::nullopt);
}

TEST(Decoder, BytesThatAreNoWholeInstructionAreRefused) {
  Decoded out;
  EXPECT_FALSE(Decoder().decode(std::vector<std::uint8_t>{0x48, 0x89}, out));
  EXPECT_FALSE(Decoder().decode({}, out));
}

}  // namespace
}  // namespace dt::machine
