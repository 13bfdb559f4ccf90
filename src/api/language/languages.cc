// See languages.h.

#include "api/language/languages.h"

#include <fmt/ranges.h>

#include "api/language/d_language.h"
#include "api/language/stap_language.h"
#include "api/language/stap_options.h"
#include "front/front_end.h"
#include "support/nearest.h"

namespace dt::api {

std::vector<Language> built_in_languages() {
  return {{"d", make_d_front_end, blame_d_text},
          {"stap", make_stap_front_end, {}, check_stap_request}};
}

Result<const Language*> find_language(const std::vector<Language>& languages,
                                      std::string_view name) {
  std::vector<std::string_view> names;
  for (const Language& language : languages) {
    if (language.name == name) {
      return &language;
    }
    names.push_back(language.name);
  }
  const std::string near = support::nearest(name, names);
  return Error::of(fmt::format("unknown language '{}'", name),
                   near.empty() ? fmt::format("the languages are: {}", fmt::join(names, ", "))
                                : support::did_you_mean(near));
}

Result<std::unique_ptr<front::FrontEnd>> make_front_end(const std::vector<Language>& languages,
                                                        const LanguageRequest& from) {
  const std::vector<dtrace::Program>& programs = from.request.programs;
  const std::string name = programs.empty() ? languages.front().name : programs.front().language;
  for (const dtrace::Program& program : programs) {
    if (program.language != name) {
      return Error::of(fmt::format("programs in '{}' and in '{}' cannot be traced together", name,
                                   program.language),
                       "use a tracer for each language");
    }
  }
  DT_ASSIGN(const Language* const language, find_language(languages, name));
  if (language->check) DT_TRY(language->check(from.request, from.callbacks));
  return language->make(from);
}

}  // namespace dt::api
