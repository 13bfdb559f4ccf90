// What a script means: the IR interpreter, with ERROR's clauses run where a
// fault happens.

#include <fmt/core.h>

#include <cstring>

#include "model.h"
#include "record/drop.h"
#include "record/schema.h"
#include "testing/ir/table_environment.h"
#include "trial.h"

namespace dt::differential {
namespace {

constexpr std::int64_t kNow = 1000;

ir::TableEnvironment environment_of(const Identity& identity, const bpf::Machine& machine,
                                    const probe::Probe& probe) {
  ir::TableEnvironment env;
  using ir::Builtin;
  env.integers = {{Builtin::kPid, identity.pid},
                  {Builtin::kTid, identity.tid},
                  {Builtin::kPpid, identity.ppid},
                  {Builtin::kUid, identity.uid},
                  {Builtin::kGid, identity.gid},
                  {Builtin::kCpu, identity.cpu},
                  {Builtin::kTimestamp, kNow},
                  {Builtin::kWalltimestamp, kNow},
                  {Builtin::kCurthread, static_cast<std::int64_t>(kModelTask)},
                  {Builtin::kProbeId, probe.id.value}};
  env.texts = {{Builtin::kExecname, identity.name},
               {Builtin::kProbeprov, probe.description.provider},
               {Builtin::kProbemod, probe.description.module},
               {Builtin::kProbefunc, probe.description.function},
               {Builtin::kProbename, probe.description.name}};
  env.kernel = model_tasks(identity, machine);
  env.user[kUserPage] = user_page();
  return env;
}

// A firing's environment that lets ERROR fire when a clause faults.
class FiringEnvironment final : public ir::Environment {
 public:
  FiringEnvironment(const Compiled& compiled, const ir::Program& program, const Identity& identity,
                    ir::State& state, ir::TableEnvironment table)
      : compiled_(compiled),
        program_(program),
        identity_(identity),
        state_(state),
        table_(std::move(table)) {}

  std::int64_t argument(std::uint32_t number) override { return table_.argument(number); }
  std::int64_t integer(ir::Builtin builtin) override { return table_.integer(builtin); }
  std::string text(ir::Builtin builtin) override { return table_.text(builtin); }
  bool read_kernel(std::uint64_t address, std::span<std::uint8_t> out) override {
    return table_.read_kernel(address, out);
  }
  bool read_user(std::uint64_t address, std::span<std::uint8_t> out) override {
    return table_.read_user(address, out);
  }
  std::vector<std::uint64_t> kernel_stack() override { return {}; }
  std::vector<std::uint64_t> user_stack() override { return {}; }

  void faulted(const ir::FaultEvent& fault) override {
    errors_.emplace_back();
    if (compiled_.plan.error_clauses.empty()) return;
    std::vector<ir::ClauseEpid> clauses;
    for (const enabling::ClauseBinding& binding : compiled_.plan.error_clauses) {
      clauses.push_back({binding.clause, binding.epid(0), binding.stride, true});
    }
    ir::TableEnvironment env =
        environment_of(identity_, compiled_.memory.machine, compiled_.plan.error_probe);
    env.arguments[1] = fault.epid;
    env.arguments[2] = fault.action;
    env.arguments[4] = static_cast<std::int64_t>(fault.fault);
    env.arguments[5] = static_cast<std::int64_t>(fault.address);
    errors_.back() = ir::interpret(program_, clauses, env, state_);
  }

  const std::vector<ir::Firing>& errors() const { return errors_; }  // by fault

 private:
  const Compiled& compiled_;
  const ir::Program& program_;
  const Identity& identity_;
  ir::State& state_;
  ir::TableEnvironment table_;
  std::vector<ir::Firing> errors_;
};

std::string fault_line(const ir::FaultEvent& f) {
  return fmt::format("fault {} of epid {} at {:#x}, action {}, bytes {}-{}\n",
                     static_cast<std::uint32_t>(f.fault), f.epid, f.address, f.action, f.span.begin,
                     f.span.end);
}

// Whether the record was made by the clause.
bool is_of(const ir::Program& program, const ir::ClauseEpid& clause, const ir::Bytes& record) {
  record::Header header;
  std::memcpy(&header, record.data(), sizeof header);
  const std::size_t layouts = program.clauses[clause.clause].layouts.size();
  for (std::size_t i = 0; i < layouts; ++i) {
    if (header.epid == clause.epid + i * clause.stride) return true;
  }
  return false;
}

// The lines of a firing. A fault is the last thing that a clause does, so that the order of
// the clauses is the order of both.
std::string lines(const Compiled& compiled, const ir::Program& program,
                  const std::vector<ir::ClauseEpid>& clauses, const ir::Firing& firing,
                  const std::vector<ir::Firing>& errors) {
  std::string text;
  std::size_t record = 0, fault = 0;
  for (const ir::ClauseEpid& clause : clauses) {
    while (record < firing.records.size() && is_of(program, clause, firing.records[record])) {
      text += record_line(compiled, firing.records[record++]);
    }
    if (fault < firing.faults.size() && firing.faults[fault].epid == clause.epid) {
      text += fault_line(firing.faults[fault]);
      for (const ir::Bytes& bytes : errors[fault].records) text += record_line(compiled, bytes);
      ++fault;
    }
  }
  return text;
}

}  // namespace

Meant run_meant(const Compiled& compiled, const ir::Program& program, const Script& script,
                const Identity& identity) {
  Meant out;
  const enabling::ProgramPlan& unit = compiled.plan.programs.front();
  for (const Firing& firing : script.firings) {
    out.firings.emplace_back();
    std::uint32_t slot = 0;
    while (slot < unit.probes.size() && unit.probes[slot].binding.key != firing.key) ++slot;
    if (slot == unit.probes.size() || out.values.exit_status) continue;
    std::vector<ir::ClauseEpid> clauses;
    for (const enabling::ClauseBinding& binding : unit.clauses) {
      if (binding.epid(slot) == 0) continue;
      clauses.push_back({binding.clause, binding.epid(slot), binding.stride});
    }
    ir::TableEnvironment table =
        environment_of(identity, compiled.memory.machine, unit.probes[slot]);
    table.arguments = firing.arguments;
    FiringEnvironment env(compiled, program, identity, out.values, std::move(table));
    const ir::Firing result = ir::interpret(program, clauses, env, out.values);
    out.firings.back() = lines(compiled, program, clauses, result, env.errors());
    for (const ir::Firing& error : env.errors()) {
      out.drops[static_cast<std::size_t>(record::Drop::kDoubleError)] += error.faults.size();
    }
  }
  out.drops[static_cast<std::size_t>(record::Drop::kSpecUnavailable)] =
      out.values.speculations_refused;
  out.state = static_cast<std::uint32_t>(out.values.exit_status ? bpf::State::kDraining
                                                                : bpf::State::kActive);
  out.exit_status = static_cast<std::int32_t>(out.values.exit_status.value_or(0));
  return out;
}

}  // namespace dt::differential
