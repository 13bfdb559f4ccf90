#pragma once
// The probes of events, with the names and types of their arguments.

#include <functional>
#include <string>
#include <vector>

#include "front/world.h"
#include "probe/probe.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

struct ProbeInfo {
  ProbeId id;
  probe::Description description;
  std::int64_t number = 0;  // of a system call
  struct Argument {
    std::string name, type;
    // How wide a number of this type is, and whether it has a sign, where its program says it.
    std::uint32_t bytes = 0;
    bool is_signed = false;
    bool is_text = false;      // const char * of the process
    bool is_userland = false;  // it leads to memory of the process
  };
  std::vector<Argument> arguments;
  std::string result;  // the type of $return, where it is known
};

// The names of a probe's arguments, in their order.
using ArgumentNames = std::function<std::vector<std::string>(const probe::Probe&)>;

// By handler and event; reports points without probes, drops those that may be without.
class EventProbes {
 public:
  EventProbes(const front::World& world, const ArgumentNames& names)
      : world_(world), names_(names) {}

  bool find(Program& program, Messages& messages);
  // The probes of an event that was made of another one.
  void set(const Event& event, std::vector<ProbeInfo> probes) { all_[&event] = std::move(probes); }
  // Of a return: the entry of the same calls, and its probes.
  static Event entry_of(const Event& event);
  void set_entry(const Event& entry, const Event& of);
  std::vector<ProbeInfo::Argument> arguments_at_entry(const Event& event,
                                                      const ProbeInfo& probe) const;
  const std::vector<ProbeInfo>& of(const Event& event) const;
  // What the probes of a handler give under a name.
  Type provided(const Handler& handler, const std::string& name) const;
  // The number of the argument; -1: there is none of this name.
  static int argument(const ProbeInfo& probe, const std::string& name);
  // Of the one that a name shows as a text: flags_str, sig_name.
  static int shown_argument(const ProbeInfo& probe, const std::string& name);

 private:
  std::vector<ProbeInfo> probes_of(const Event& event) const;
  bool is_there(const Handler& handler) const;
  void report_absent(const Event& event, Messages& messages) const;

  const front::World& world_;
  const ArgumentNames& names_;
  std::map<const Event*, std::vector<ProbeInfo>> all_;
};

// A number that was recorded, as a value of the argument's type.
struct Width {
  std::uint32_t bytes = 8;
  bool is_signed = true;
};
Width width_of(const ProbeInfo::Argument& argument);
std::int64_t typed(std::int64_t raw, const ProbeInfo::Argument& argument);
bool is_syscall(EventKind kind);
// Whether the registers at the return are not those with which the call was made: execve().
bool changes_registers(const ProbeInfo& probe);

}  // namespace dt::stap
