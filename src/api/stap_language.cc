// See stap_language.h.

#include "api/stap_language.h"

#include <memory>
#include <utility>

#include "api/library.h"
#include "dtrace/tracer.h"
#include "kernel/configuration.h"
#include "stap/front_end.h"
#include "support/file.h"

namespace dt::api {

std::unique_ptr<front::FrontEnd> make_stap_front_end(const LanguageRequest& from) {
  stap::Options out;
  out.arguments = from.request.arguments;
  out.target = from.target.value_or(0);
  out.kernel_release = dtrace::kernel_release();
  out.kernel_config = [known = std::shared_ptr<kernel::Configuration>()](
                          std::string_view name) mutable -> std::optional<std::string> {
    if (known == nullptr) {
      known = std::make_shared<kernel::Configuration>(
          kernel::Configuration::of(dtrace::kernel_release()));
    }
    if (!known->is_known()) return std::nullopt;
    return known->value(name).value_or("undefined");
  };
  out.argument_names = [&probes = from.probes](const probe::Probe& probe) {
    return probes.argument_names(probe);
  };
  const std::string directory = system_library_directory(from.options) + "/stap/";
  out.library = [directory](std::string_view name) -> std::optional<stap::LibraryFile> {
    const std::string path = fmt::format("{}{}.stp", directory, name);
    Result<std::string> text = support::read_file(path);
    if (!text.ok()) return std::nullopt;
    return stap::LibraryFile{path, std::move(*text)};
  };
  // Named arguments of a script in this language: -D and -G of its command.
  for (const auto& [name, value] : from.request.named_arguments) {
    std::vector<std::string>& list = name.starts_with("-D") ? out.definitions : out.globals;
    list.push_back(name.substr(2) + "=" + value);
  }
  from.options.quiet = true;  // what handlers print is all there is
  return stap::make_front_end(std::move(out));
}

}  // namespace dt::api
