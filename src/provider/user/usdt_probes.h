#pragma once
// The probes that programs were built with (symbol/elf/usdt_notes.h): which of them
// a description denotes, and where their sites and arguments are.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "provider/mechanism/provider.h"
#include "provider/mechanism/whose.h"
#include "provider/process/object_code.h"
#include "provider/process/of_process.h"
#include "support/thread.h"
#include "symbol/elf/usdt_notes.h"
#include "symbol/elf/usdt_types.h"

namespace dt::provider {

// Where the program that serves these probes finds an argument of a site: at
// value + base + (index << scale) when these are there, or in memory there.
struct UsdtArgument {
  static constexpr std::uint16_t kNone = 0xffff;
  static constexpr std::uint8_t kMemory = 1, kSigned = 2;  // flags

  std::uint8_t flags = 0;
  std::uint8_t shift = 0;  // 64 - its size in bits
  std::uint8_t size = 8;   // in bytes
  std::uint8_t scale = 0;
  std::uint16_t base = kNone, index = kNone;  // offsets in struct pt_regs
  std::int64_t value = 0;
};
static_assert(sizeof(UsdtArgument) == 16);
constexpr std::size_t kUsdtArguments = 10;

// One probe of a description. It may have several sites: a macro that is used in several places, or
// inlined, or the same library mapped by several processes.
struct UsdtProbe {
  std::uint32_t key = 0;
  std::int32_t pid = 0;  // whom its links are for; 0 = all
  std::string stem;      // probe::Binding::stem
  struct Site {
    std::string path;                         // of the object, for us
    std::uint64_t offset = 0, semaphore = 0;  // in the file
    std::uint32_t number = 0;                 // its row in the table of arguments
  };
  std::vector<Site> sites;
  std::vector<symbol::UsdtOperand> operands;  // of the first site
  std::optional<symbol::UsdtTypes> declared;  // what the program says of them
};

class UsdtProbes {
 public:
  explicit UsdtProbes(OfProcesses processes);
  ~UsdtProbes();

  struct Answer {
    std::vector<probe::Description> probes;
    std::optional<probe::Refusal> refusal;
  };
  // The first call with a pattern looks at processes and their objects; later ones return the same
  // answer. Probes and sites are only added, so keys and numbers stay valid.
  const Answer& ask(const probe::Pattern& pattern);
  const UsdtProbe& probe(const probe::Description& description) const;
  // What the program says of its provider ("server123"); nullptr when it says nothing.
  const std::vector<std::string>* stability(std::string_view provider) const;
  // kUsdtArguments for each site that any probe has.
  const std::vector<UsdtArgument>& table() const { return table_; }
  // Firings that the probes have, by key (whose.h).
  const std::vector<std::int32_t>& whose() const { return whose_; }

 private:
  struct Object;
  struct Search;
  // From the whole to its parts: all processes, a process, an object that it has mapped, and a note
  // in this object, which is where a probe is made if the pattern means it.
  void of_process(std::int32_t pid, const std::vector<symbol::ProcessObject>& objects,
                  Search& search);
  void of_object(const symbol::ProcessObject& object, Search& search);
  void of_all(Search& search);
  void of_file(Search& search);
  void of_objects_to_come(std::int32_t pid, Search& search);
  void of_kept_objects(std::int32_t pid, Search& search);
  void expect_programs_to_come();
  void of_programs_to_come(Search& search);
  bool may_mean(const symbol::ProcessObject& object, const Search& search);
  void of_note(const symbol::ProcessObject& object, const Object& image,
               const symbol::UsdtNote& note, Search& search);
  UsdtProbe& make(const probe::Description& description, const Object& of,
                  const symbol::UsdtNote& note, Search& search);
  void refuse(Search& search);
  const Object* object(const symbol::ProcessObject& object);

  OfProcesses processes_;
  std::unordered_map<std::string, Answer> answers_;
  std::unordered_map<std::string, UsdtProbe> probes_;
  std::unordered_map<std::string, std::vector<std::string>> stability_;  // by provider
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<Object>> objects_;  // by inode
  symbol::ObjectsOnce seen_;
  std::optional<std::vector<symbol::ProcessObject>> programs_to_come_;
  std::optional<support::Later<std::vector<symbol::ProcessObject>>>
      found_programs_;      // that are looked for meanwhile
  std::string unreadable_;  // why the last of those that are none of ours is none
  std::vector<UsdtArgument> table_;
  std::vector<std::int32_t> whose_;
  std::set<std::string> stems_;
  SharedFiles files_;
};

}  // namespace dt::provider
