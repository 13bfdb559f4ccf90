#pragma once
// The probes of the functions of processes: which of them a description of the
// pid provider denotes, where they stand, and what is wrong when there are none.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "provider/mechanism/provider.h"
#include "provider/mechanism/whose.h"
#include "provider/process/object_code.h"
#include "provider/process/of_process.h"

namespace dt::provider {

// What fires a probe of pid in a function, and where the function has its arguments and results.
// One program serves all probes of a kind.
enum class PidKind : std::uint8_t {
  kEntry,
  kReturn,
  kOffset,
  kGoEntry,
  kGoStackEntry,
  kGoStackReturn,
};
constexpr std::size_t kPidKinds = 6;

struct PidProbe {
  PidKind kind = PidKind::kEntry;
  std::uint32_t key = 0;             // within its kind
  std::int32_t pid = 0;              // whom its links are for; 0 = all
  std::int32_t whose = kItsOwn;      // firings
  std::vector<std::string> aliases;  // other names of the function, which may be those of its types
  struct Place {
    std::string path;  // of the object, for us
    CodeSite site;
    std::uint64_t counter = 0;  // Image::counter_at()
  };
  std::vector<Place> places;
};

// The process that the name of a provider means: 12 for "pid12".
std::optional<std::int32_t> pid_of_provider(std::string_view provider);

class PidProbes {
 public:
  // `types` knows those of processes' objects.
  PidProbes(const types::Catalog& types, OfProcesses processes);
  ~PidProbes();

  struct Answer {
    std::vector<probe::Description> probes;
    std::optional<probe::Refusal> refusal;  // when there are none
  };
  // What the description denotes; the same whenever it is asked.
  const Answer& ask(const probe::Pattern& pattern);
  const PidProbe& probe(const probe::Description& description) const;
  // PidProbe::whose of the probes of a kind, by key.
  const std::vector<std::int32_t>& whose(PidKind kind) const {
    return whose_[static_cast<std::size_t>(kind)];
  }

 private:
  struct Search;
  Answer answer(const probe::Pattern& pattern);
  Answer answer_of_all(const probe::Pattern& pattern);
  Answer answer_of_file(const probe::Pattern& pattern);
  Answer answer_of_each(const probe::Pattern& pattern);
  Answer answer_of(std::int32_t pid, Search& search);
  std::vector<symbol::ProcessObject> meant_objects(Search& search);
  std::string hint_for_function(const std::vector<symbol::ProcessObject>& objects,
                                const probe::Pattern& pattern);
  static Search take_apart(const probe::Pattern& pattern);
  bool ask_servers(const std::vector<symbol::ProcessObject>& objects);
  void of_objects(const std::vector<symbol::ProcessObject>& objects, Search& search);
  // What such a piece of code jumps to returns to the caller: there is no return of its own.
  void of_linkage(const Image& image, const symbol::ProcessObject& object, Search& search);
  void of_object(const symbol::ProcessObject& object, Search& search);
  void of_function(const Image& image, const symbol::ProcessObject& object,
                   const symbol::Function& function, Search& search);
  void of_offsets(const Image& image, const symbol::ProcessObject& object,
                  const symbol::Function& function, Search& search);
  void of_address(const std::vector<symbol::ProcessObject>& objects, Search& search);
  void add(const symbol::ProcessObject& object, const std::string& function, std::string name,
           PidKind kind, const std::vector<CodeSite>& sites, Search& search);
  std::string name_of(const Image& image, const symbol::Function& function,
                      const Search& search) const;
  // Whether probes have the names of the source (-x demangle).
  bool demangles() const;
  Result<Image*> image(const symbol::ProcessObject& object);

  const types::Catalog& types_;
  OfProcesses processes_;
  std::unordered_map<std::string, Answer> answers_;  // by description
  std::unordered_map<std::string, PidProbe> probes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<Image>> images_;  // by inode
  SharedFiles files_;
  symbol::ObjectsOnce seen_;
  std::vector<std::int32_t> whose_[kPidKinds];
};

}  // namespace dt::provider
