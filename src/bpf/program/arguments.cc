// See arguments.h.
//
// A process that has been made has the arguments of the one that made it. So they are copied then,
// or, where they are not known, read from the memory of that process, which is the one that runs.
// What executes a program has just written them to its stack.

#include "bpf/program/arguments.h"

#include <linux/bpf.h>

#include <algorithm>

#include "bpf/asm/encode.h"
#include "bpf/layout/drop.h"
#include "ir/ir.h"

namespace dt::bpf {
namespace {

constexpr std::uint32_t kKeyBytes = 8;

class Writer {
 public:
  Writer(const Memory& memory, const ir::Program& program)
      : memory_(memory),
        map_{MapKind::kAssoc, program.arguments},
        bytes_(words_up(program.variables[program.arguments].type.size)) {
    key_ = e_.stack(kKeyBytes);
    out_ = e_.label();
  }

  // sched_process_exec: { task, ... }
  void at_exec() {
    choose(process_of(e_.load(8, e_.context(), 0)));
    read();
  }

  // sched_process_fork: { parent, child }
  void at_fork() {
    const Label unknown = e_.label();
    const Reg parent = e_.load(8, e_.context(), 0), child = e_.load(8, e_.context(), 8);
    const Reg process = process_of(child);
    e_.jump_if(Cond::kNe, number_of(child), process, out_);  // a thread
    choose(process_of(parent));
    const Reg known = e_.call(BPF_FUNC_map_lookup_elem, {e_.map(map_), key()});
    choose(process);
    e_.jump_if_imm(Cond::kEq, known, 0, unknown);
    put(known);
    e_.jump(out_);
    e_.bind(unknown);
    read();
  }

  // sched_process_free: { task }
  void at_free() {
    const Reg task = e_.load(8, e_.context(), 0), process = process_of(task);
    e_.jump_if(Cond::kNe, number_of(task), process, out_);
    choose(process);
    e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(map_), key()});
  }

  Result<Object> finish(const char* name) {
    e_.bind(out_);
    e_.exit(0);
    DT_ASSIGN(Assembly assembly, assemble(e_, memory_.machine.target));
    assembly.object.program = name;
    return std::move(assembly.object);
  }

 private:
  Reg number_of(Reg task) { return e_.load(4, task, memory_.machine.task_pid); }
  Reg process_of(Reg task) { return e_.load(4, task, memory_.machine.task_tgid); }
  Reg key() { return e_.stack_address(key_); }
  void choose(Reg process) { e_.store(8, key(), 0, process); }

  // The value for the chosen process is at `value`.
  void put(Reg value) {
    const Reg failed = e_.call(BPF_FUNC_map_update_elem,
                               {e_.map(map_), key(), value, e_.imm(std::int64_t{BPF_ANY})});
    e_.jump_if_imm(Cond::kEq, failed, 0, out_);
    const Reg block = cpu_block(e_, memory_, out_);
    const auto counter = static_cast<std::int32_t>(memory_.drops_offset) +
                         static_cast<std::int32_t>(record::Drop::kDynamic) * 8;
    e_.atomic(Atomic::kAdd, 8, block, counter, e_.imm(1));
  }

  // Puts what the running process was started with; nothing for a thread of the kernel, and where
  // the memory is not there.
  void read() {
    const Machine& machine = memory_.machine;
    const Reg task = e_.call(BPF_FUNC_get_current_task_btf, {});
    const Reg space = e_.load(8, task, machine.task_mm);
    e_.jump_if_imm(Cond::kEq, space, 0, out_);
    const Reg start = e_.load(8, space, machine.mm_arg_start);
    const Reg length = e_.load(8, space, machine.mm_arg_end);
    e_.alu(Alu::kSub, length, start);
    e_.alu_imm(Alu::kSub, length, 1);  // the last NUL
    e_.jump_if_imm(Cond::kSlt, length, 1, out_);
    const Reg bytes = e_.held_copy(length);
    const Label fits = e_.label();
    e_.jump_if_imm(Cond::kLe, bytes, static_cast<std::int32_t>(bytes_ - 1), fits);
    e_.mov_imm(bytes, bytes_ - 1);
    e_.bind(fits);
    e_.mov(length, bytes);
    const StackSlot text = e_.stack(bytes_);
    for (std::uint32_t at = 0; at < bytes_; at += 8) {
      e_.store_imm(8, e_.stack_address(text), static_cast<std::int32_t>(at), 0);
    }
    const Reg failed = e_.call(BPF_FUNC_probe_read_user, {e_.stack_address(text), bytes, start});
    e_.jump_if_imm(Cond::kNe, failed, 0, out_);
    blank_nuls(text, length);
    put(e_.stack_address(text));
  }

  // NULs within `length` become blanks.
  void blank_nuls(StackSlot text, Reg length) {
    const Label loop = e_.label(), next = e_.label(), done = e_.label();
    const Reg i = e_.imm(0), at = e_.reg();
    e_.bind(loop);
    e_.jump_if_imm(Cond::kGe, i, static_cast<std::int32_t>(bytes_), done);
    e_.jump_if(Cond::kGe, i, length, done);
    e_.mov(at, e_.stack_address(text));
    e_.alu(Alu::kAdd, at, i);
    e_.jump_if_imm(Cond::kNe, e_.load(1, at, 0), 0, next);
    e_.store_imm(1, at, 0, ' ');
    e_.bind(next);
    e_.alu_imm(Alu::kAdd, i, 1);
    e_.jump(loop);
    e_.bind(done);
  }

  const Memory& memory_;
  const MapRef map_;
  const std::uint32_t bytes_;
  Emitter e_;
  StackSlot key_;
  Label out_;
};

}  // namespace

std::vector<std::uint8_t> arguments_value(std::string_view arguments, std::uint32_t bytes) {
  if (!arguments.empty() && arguments.back() == '\0') arguments.remove_suffix(1);
  std::vector<std::uint8_t> value(words_up(bytes));
  const std::size_t length = std::min<std::size_t>(arguments.size(), value.size() - 1);
  std::replace_copy(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(length),
                    value.begin(), '\0', ' ');
  return value;
}

const std::vector<std::string>& arguments_points() {
  static const std::vector<std::string> points = {"sched_process_exec", "sched_process_fork",
                                                  "sched_process_free"};
  return points;
}

Result<std::vector<Object>> generate_arguments(const Memory& memory, const ir::Program& program) {
  std::vector<Object> objects;
  const auto add = [&](void (Writer::*write)(), const char* name) -> Status {
    Writer writer(memory, program);
    (writer.*write)();
    DT_ASSIGN(Object object, writer.finish(name));
    objects.push_back(std::move(object));
    return {};
  };
  DT_TRY(add(&Writer::at_exec, "arguments:exec"));
  DT_TRY(add(&Writer::at_fork, "arguments:fork"));
  DT_TRY(add(&Writer::at_free, "arguments:free"));
  return objects;
}

}  // namespace dt::bpf
