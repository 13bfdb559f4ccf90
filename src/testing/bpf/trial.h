#pragma once
// For tests and fuzzing: a prologue that takes everything from the words of the
// context, and a machine that never was.
//
//   word 0      the probe's key
//   word 1 + n  arg n

#include "bpf/layout/memory.h"
#include "bpf/layout/prologue.h"

namespace dt::bpf {

class WordPrologue : public Prologue {
 public:
  Reg enter(Emitter& e, Reg context, Label) override { return e.load(8, context, 0); }
  Reg argument(Emitter& e, Reg context, std::uint32_t number) override {
    return e.load(8, context, static_cast<std::int32_t>(8 + number * 8));
  }
  Reg error_number(Emitter& e, Reg) override { return e.imm(0); }
};

inline Machine trial_machine(std::uint32_t cpus) {
  Machine machine;
  machine.cpus = cpus;
  machine.task_comm = 64;
  machine.task_tgid = 20;
  machine.task_pid = 16;
  machine.task_real_parent = 32;
  machine.task_start_time = 40;
  return machine;
}

}  // namespace dt::bpf
