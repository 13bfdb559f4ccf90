// Any text through the whole front-end of the SystemTap language; what it accepts, through all the
// stages up to instructions, and its handlers of begin and end run. A text must end with a
// well-formed program, or with an error that says something.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate_program.h"
#include "stap/front_end.h"
#include "support/check.h"
#include "testing/stap/few_probes.h"

namespace dt::stap {
namespace {

// What a handler may do beside computing and printing.
bool acts(std::string_view text) {
  for (const std::string_view action : {"system", "procfs", "input", "timer", "prometheus"}) {
    if (text.find(action) != std::string_view::npos) return true;
  }
  return false;
}

void run(std::string text) {
  const std::size_t size = text.size();
  const bool is_run = !acts(text);
  Options options;
  options.arguments = {"12", "name"};
  options.kernel_release = "6.1.0-13";
  options.argument_names = FewProbes::names_of;
  options.kernel_config = [](std::string_view name) -> std::optional<std::string> {
    return name == "CONFIG_HZ" ? "250" : "undefined";
  };
  options.definitions = {"MAXACTION=200", "MAXMAPENTRIES=16", "MAXSTRINGLEN=64"};
  const std::unique_ptr<front::FrontEnd> front_end = make_front_end(std::move(options));
  types::Catalog types;
  const FewProbes probes;
  Sources sources;
  Diagnostics diagnostics;
  front::Dump dump;
  const front::Input input{sources.add(Source("x.stp", std::move(text)))};
  std::optional<ir::Program> program =
      front_end->compile({sources, std::span(&input, 1), {types, probes}, diagnostics}, dump);
  DT_CHECK(program.has_value() || diagnostics.any());
  for (const Diagnostic& one : diagnostics.all()) {
    DT_CHECK(one.span.begin <= one.span.end && one.span.end <= size, "{}-{} of {}", one.span.begin,
             one.span.end, size);
    DT_CHECK(!one.text.empty());
    DT_CHECK(!support::render(one, sources).empty());
  }
  if (!program) return;
  bpf::generate_whole(*program, probes);
  front::Session* const session = front_end->session();
  if (!is_run || session == nullptr) return;
  session->begin({[](std::string_view) {}, [](std::string_view) {}});
  session->end();
}

}  // namespace
}  // namespace dt::stap

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dt::stap::run(std::string(data, data + size));
  return 0;
}
