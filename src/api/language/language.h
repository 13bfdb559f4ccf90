#pragma once
// A language that programs may be written in, as the api makes its front-end.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/options/request.h"
#include "provider/mechanism/provider.h"
#include "types/type.h"

namespace dt::front {
class FrontEnd;
}

namespace dt::api {

// What a front-end is made of. All references outlive it.
struct LanguageRequest {
  const Request& request;
  const Callbacks& callbacks;
  std::optional<std::int64_t> target;  // the process of -c or -p
  Options& options;                    // the request's; a program may change them
  types::Catalog& types;
  std::uint32_t& libraries_left_out;  // how many could not be used; it is counted up
  const provider::ProviderCatalog& probes;
};

struct Language {
  std::string name;  // dtrace::Program::language
  std::function<std::unique_ptr<front::FrontEnd>(const LanguageRequest&)> make;
  // What the error of a program without a file (-n) begins with, from the program's text; empty:
  // the common words.
  std::function<std::string(std::string_view text)> blames = {};
  // Refuses what its programs could not follow; empty: all that there is means something to it.
  std::function<Status(const Request& request, const Callbacks& callbacks)> check = {};
};

}  // namespace dt::api
