#pragma once
// What plockstat and pthread share. Their probes are of the processes that there are, where
// these have glibc, and breakpoints in it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "provider/glibc/glibc_code.h"
#include "provider/mechanism/provider.h"
#include "provider/mechanism/uprobe.h"
#include "provider/process/of_process.h"

namespace dt::provider {

// The work that both providers have in common: which processes are meant, which of their objects is
// glibc (dynamically linked, or within a static program), and the reasons why there are no probes.
//
// Which probes a description denotes.
class GlibcProbes {
 public:
  struct Answer {
    std::vector<probe::Description> probes;
    std::optional<probe::Refusal> refusal;
  };

  // `stem`: of the provider's names, "plockstat"; `subject`: what its probes tell of, "locks".
  GlibcProbes(std::string_view stem, std::string_view subject, OfProcesses of)
      : stem_(stem), subject_(subject), of_(std::move(of)) {}
  virtual ~GlibcProbes() = default;

  // As UsdtProbes::ask(): answered once.
  const Answer& ask(const probe::Pattern& pattern);

 protected:
  virtual std::set<std::string_view> names() const = 0;
  virtual std::vector<std::string_view> functions() const = 0;
  // Why there is no probe of a name, where more is known than that.
  virtual std::optional<probe::Refusal> refuse_known_name(const std::string& /*name*/) const {
    return std::nullopt;
  }
  // Adds those of an object that a pattern means. False where that is no glibc; an error where it
  // is one, and not as it must be.
  virtual Result<bool> of_object(std::int32_t pid, const symbol::ProcessObject& object,
                                 const probe::Pattern& pattern, Answer& answer) = 0;

  // Null where the object is no glibc.
  static std::unique_ptr<Image> open_glibc(const symbol::ProcessObject& object);
  probe::Description description(std::int32_t pid, const symbol::ProcessObject& object,
                                 const char* function, const char* name) const;
  // The number of a process in the keys of its probes: 0, 1, ...
  std::uint32_t number_of(std::int32_t pid);

 private:
  std::optional<probe::Refusal> refuse_name(const std::string& name) const;
  probe::Refusal refuse_pattern(const probe::Pattern& pattern) const;
  void of_process(std::int32_t pid, const probe::Pattern& pattern, Answer& answer);

  std::string_view stem_, subject_;
  OfProcesses of_;
  std::unordered_map<std::string, Answer> answers_;
  std::map<std::int32_t, std::uint32_t> numbers_;
};

class GlibcProvider : public Provider {
 public:
  explicit GlibcProvider(std::shared_ptr<Uprobes> uprobes) : uprobes_(std::move(uprobes)) {}

  bool owns(std::string_view provider) const override { return provider.starts_with(name()); }
  bool concerns(const probe::Pattern& pattern) const override {
    return may_be_numbered(pattern.provider, name());
  }
  probe::ProviderAttributes attributes() const override;
  std::vector<probe::Description> list() const override { return {}; }
  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    return all_probes().ask(pattern).probes;
  }
  std::optional<probe::Refusal> refusal(const probe::Pattern& pattern) const override {
    return all_probes().ask(pattern).refusal;
  }

 protected:
  virtual GlibcProbes& all_probes() const = 0;
  Uprobes& uprobes() const { return *uprobes_; }

 private:
  std::shared_ptr<Uprobes> uprobes_;
};

}  // namespace dt::provider
