#pragma once
// The probes of events, with the names and types of their arguments.

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "front/world.h"
#include "probe/probe.h"
#include "stap/events/probe_info.h"
#include "stap/events/user_parameters.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// The names of a probe's arguments, in their order.
using ArgumentNames = std::function<std::vector<std::string>(const probe::Probe&)>;

// A number that was recorded, as a value of its type.
struct Width {
  std::uint32_t bytes = 8;
  bool is_signed = true;
};

// A variable of a program at a probe.
struct VariableAtProbe {
  types::TypeId type;
  ProgramVariable place;
  Width width;        // of a number in a register
  std::string wrong;  // why there is none, or it is not read
};

// By handler and event; reports points without probes, drops those that may be without.
class EventProbes {
 public:
  EventProbes(const front::World& world, const ArgumentNames& names,
              const ProgramVariables& variables)
      : world_(world), names_(names), variables_(variables) {}

  bool find(Program& program, Messages& messages);
  // The probes of an event that was made of another one.
  void set(const Event& event, std::vector<ProbeInfo> probes) { all_[&event] = std::move(probes); }
  // scheduler.cpu_on of handlers that look at the program's stack or command line: they are not
  // known there, where the thread does not run yet, but at sched:::resume, if the kernel has that.
  // A point that the script itself writes stays what it is.
  void move_to_resume(Program& program, const Messages& messages);
  // For the event of a return: the event of the entry of the same calls, and its probes.
  static Event entry_of(const Event& event);
  void set_entry(const Event& entry, const Event& of);
  std::vector<ProbeInfo::Argument> arguments_at_entry(const Event& event,
                                                      const ProbeInfo& probe) const;
  const std::vector<ProbeInfo>& of(const Event& event) const;
  // What the probes of a handler give under a name.
  Type provided(const Handler& handler, const std::string& name) const;
  // The number of the argument; -1: there is none of this name.
  static int argument(const ProbeInfo& probe, const std::string& name);
  // The variables that the source can name at the probe of a statement.
  const std::vector<ProgramVariable>& variables(const Event& event, const ProbeInfo& probe) const;
  // Where the mark of the probe is, as the file has addresses; empty: that is not known.
  const std::vector<std::uint64_t>& sites(const Event& event, const ProbeInfo& probe) const;
  // The one of a name, as Leaf::What::kVariable has names. It is looked up once: when records are
  // decoded, the types are gone.
  const VariableAtProbe& variable(const Event& event, const ProbeInfo& probe,
                                  const std::string& name) const;
  std::optional<types::TypeId> type_of(const ProgramVariable& variable,
                                       const ProbeInfo& probe) const;
  // Where the source of the program defines the function of the probe.
  std::optional<ProgramFunction> function_of(const Event& event, const ProbeInfo& probe) const;
  std::string type_text(const ProgramVariable& variable, const ProbeInfo& probe) const;
  // The number of the argument that a name shows as a text (flags_str, sig_name); -1: none.
  static int shown_argument(const ProbeInfo& probe, const std::string& name);

 private:
  std::vector<ProbeInfo> probes_of(const Event& event) const;
  std::optional<types::TypeId> declared(const Event& event, const ProbeInfo& probe,
                                        bool& is_c) const;
  void set_parameters(const Event& event, ProbeInfo& probe) const;
  UserParameters parameters_of_copy(const Event& event, const ProbeInfo& probe) const;
  std::vector<std::string> outside_names(const Event& event, const ProbeInfo& probe) const;
  std::vector<ProgramVariable> outside(const Event& event, const ProbeInfo& probe,
                                       const std::string& name, std::string& wrong) const;
  VariableAtProbe find_variable(const Event& event, const ProbeInfo& probe,
                                const std::string& name) const;
  bool is_there(const Handler& handler) const;

  const front::World& world_;
  const ArgumentNames& names_;
  const ProgramVariables& variables_;
  // By the probe, and the function that was inlined there.
  mutable std::map<std::pair<ProbeId, std::string>, std::vector<ProgramVariable>> at_probes_;
  mutable std::map<std::tuple<ProbeId, std::string, std::string>, VariableAtProbe> by_name_;
  mutable std::map<ProbeId, std::vector<std::uint64_t>> sites_;
  std::map<const Event*, std::vector<ProbeInfo>> all_;
};

// What the source calls the function of the probe.
std::string source_name(const ProbeInfo& probe);
Width width_of(const ProbeInfo::Argument& argument);
std::int64_t typed(std::int64_t raw, const Width& width);
std::int64_t typed(std::int64_t raw, const ProbeInfo::Argument& argument);
bool is_statement(const Event& event);  // of a program
// Whether the registers at the return are not those with which the call was made: execve().
bool changes_registers(const ProbeInfo& probe);

}  // namespace dt::stap
