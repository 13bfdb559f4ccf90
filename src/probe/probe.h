#pragma once
// What a probe is: its four names, what it passes, how stable it is, and which
// program serves it. Providers (provider/) publish probes through the Catalog
// interface, and everything before them in the pipeline sees only this.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/pattern.h"
#include "support/ids.h"
#include "types/type.h"

namespace dt::probe {

enum class Stability : std::uint8_t {
  kInternal,
  kPrivate,
  kObsolete,
  kExternal,
  kUnstable,
  kEvolving,
  kStable,
  kStandard,
};
enum class DependencyClass : std::uint8_t { kUnknown, kCpu, kPlatform, kGroup, kIsa, kCommon };
struct Attributes {
  Stability name = Stability::kPrivate;
  Stability data = Stability::kPrivate;
  DependencyClass dependency = DependencyClass::kUnknown;
  bool operator==(const Attributes&) const = default;
};
const char* to_string(Stability stability);
const char* to_string(DependencyClass dependency);
std::string to_string(const Attributes& attributes);  // "Private/Private/Unknown"
std::optional<Attributes> parse_attributes(std::string_view text);
// The lower of both, in each part.
Attributes least(const Attributes& a, const Attributes& b);
// Whether each part of `a` is at least that of `b`.
bool at_least(const Attributes& a, const Attributes& b);

struct ProviderAttributes {
  Attributes provider, module, function, name, args;
};

// args[i] of a probe.
struct Argument {
  std::string type;       // "int", "const char *", "struct task_struct *"
  bool userland = false;  // lives in user memory
  // Where a translator makes `type` of what the provider passes: that type, and
  // which of the passed arguments it is. Empty: passed as it is, in its place.
  std::string native = {};
  std::uint32_t source = 0;
  // As the program declares it, where `type` is void * because the type is not known.
  std::string declared = {};
};

// Which program serves a probe. All enabled probes with one `program` key are
// served by one BPF program; `key` is what that program sees at run time (the
// system call's number), and is unique within the program. A program that
// serves one probe only uses key 0.
struct Binding {
  std::string program;  // "syscall:entry", "profile:97hz"
  std::uint32_t key = 0;
  // For a probe of many processes, the name of its provider without the number of the process:
  // "pid" of "pid1234". The name is made where the probe fires. Otherwise empty.
  std::string stem = {};
};

struct Probe {
  ProbeId id;
  Description description;
  Binding binding;
};

// Why a pattern denotes nothing, where its provider knows exactly. The text and the hint speak of
// the system; what a language says of it (D's tag, how to write it) follows from the code.
struct Refusal {
  enum class Code : std::uint8_t {
    kNoMatch,            // no probe has these names
    kNotAProcess,        // the provider's name lacks the number of a process; `subject`: its stem
    kCannotGrab,         // the process cannot be traced
    kNoObject,           // the process has not mapped such an object
    kNoFunction,         // neither the object nor the kernel has such a function
    kNeedsFunction,      // of `subject`, a provider: one function must be named
    kNoName,             // a function has no probe of this name
    kOutside,            // an offset outside of the function
    kInsideInstruction,  // an offset at which no instruction begins
    kNotBuiltIn,         // the program was built without this static probe
    kCannotProbe,        // the probe exists and cannot be made to fire
  };
  Code code = Code::kNoMatch;
  std::string text;
  std::string hint;          // may be empty
  std::string subject = {};  // of some codes
};

// What may be asked about probes. Tests give a table.
class Catalog {
 public:
  virtual ~Catalog() = default;
  // Every probe that the pattern denotes, in the order of ids. A provider may
  // create probes on demand here (profile-97).
  virtual std::vector<Probe> match(const Pattern& pattern) const = 0;
  virtual std::optional<Probe> find(ProbeId id) const = 0;
  // Typed arguments, nullopt when the provider cannot know them.
  virtual std::optional<std::vector<Argument>> arguments(const Probe& probe) const = 0;
  virtual ProviderAttributes attributes(std::string_view provider) const = 0;
  // Up to `count` descriptions near a pattern that matched nothing.
  virtual std::vector<Description> near(const Pattern& pattern, std::size_t count) const = 0;
  // Gives the probes that are going to be enabled the bindings that suit all of
  // them together: how a provider serves one may depend on how many there are.
  virtual void plan(std::span<Probe* const> /*enabled*/) const {}
  // Why nothing of this pattern can be traced on this kernel ("" if unknown).
  virtual std::string why_not(const Pattern& pattern) const = 0;
  // The same where the provider knows exactly what is wrong with it.
  virtual std::optional<Refusal> refusal(const Pattern&) const { return std::nullopt; }
};

}  // namespace dt::probe
