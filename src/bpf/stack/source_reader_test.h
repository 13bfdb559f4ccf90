#pragma once
// How tests run the routines that read a frame of an interpreter.

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "bpf/asm/encode.h"
#include "bpf/layout/frame.h"
#include "bpf/program/routines.h"
#include "bpf/routine/unit.h"
#include "bpf/stack/python.h"
#include "support/check.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {

template <typename T>
void put(std::vector<std::uint8_t>& bytes, std::int32_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// The routine that reads a frame, to be run again and again.
class SourceReader {
 public:
  // `words` are those of the state that are known before.
  SourceReader(Routine::Kind routine,
               const std::vector<std::pair<PythonState, std::uint64_t>>& words) {
    memory_.machine.unwind.with_sources = true;
    memory_.scratch_bytes = kPythonOffset + kPythonBytes;
    Unit unit = {.e = e_,
                 .program = program_,
                 .schema = schema_,
                 .memory = memory_,
                 .budget = {},
                 .fault_function = {},
                 .drop_function = {},
                 .number_function = {}};
    const Label none = e_.label();
    const Reg python = find_frame(e_, e_.imm(0), e_.stack(8), none);
    e_.alu_imm(Alu::kAdd, python, static_cast<std::int32_t>(kPythonOffset));
    e_.store_imm(8, python, kPythonIndex, 0);
    e_.store_imm(8, python, kPythonLost, 0);
    for (const auto& [word, value] : words) {
      e_.store(8, python, word, e_.imm(static_cast<std::int64_t>(value)));
    }
    const Reg status = e_.call_subprogram(unit.routine(routine), {python});
    e_.store(8, python, kPythonSum, status);  // which is of no use any more
    e_.bind(none);
    e_.exit(0);
    emit_routines(unit);
    auto assembly = assemble(e_, memory_.machine.target);
    DT_CHECK(assembly.ok(), "{}", assembly.error().text);
    object_ = std::move(assembly->object);
    world_.add_map({MapKind::kScratch, 0}, ModelType::kArray, 4, memory_.scratch_bytes, 1);
    world_.add_map(unwind_map(UnwindMap::kSources), ModelType::kHash, 8,
                   sizeof(symbol::SourceRecord), kRoom);
  }

  struct Read {
    std::uint64_t word = 0, caller = 0, is_entry = 0, lost = 0;
    std::int64_t status = 0;  // what the routine has returned
    std::uint32_t line() const { return symbol::source_line(word); }
  };
  Read read(const ForeignMemory& memory) {
    world_.user_memory = memory;
    std::uint8_t context[8] = {};
    const RunResult result = run(object_, world_, context);
    EXPECT_EQ(result.error, "");
    const std::vector<std::uint8_t>& frame = *world_.value({MapKind::kScratch, 0});
    const auto word = [&frame](std::int32_t at) {
      std::uint64_t value = 0;
      std::memcpy(&value, frame.data() + kPythonOffset + at, sizeof value);
      return value;
    };
    return {word(kPythonWord), word(kPythonCurrent), word(kPythonIsEntry), word(kPythonLost),
            static_cast<std::int64_t>(word(kPythonSum))};
  }
  // What stands for the frame.
  symbol::SourceName name(std::uint64_t word) {
    const std::uint64_t number = symbol::source_name(word);
    const std::string key(reinterpret_cast<const char*>(&number), sizeof number);
    const std::vector<std::uint8_t>* const value =
        world_.value(unwind_map(UnwindMap::kSources), key);
    symbol::SourceRecord record;
    if (value == nullptr) return {};
    std::memcpy(&record, value->data(), sizeof record);
    return symbol::source_name_of(record);
  }
  static constexpr std::uint32_t kRoom = 8;

 private:
  ir::Program program_;
  record::Schema schema_;
  Memory memory_;
  Emitter e_;
  Object object_;
  World world_;
};

}  // namespace dt::bpf
