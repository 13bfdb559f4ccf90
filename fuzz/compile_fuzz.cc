// Any text through the whole front-end, and what it accepts through all the
// stages up to instructions: they must end with a well-formed program, or with
// an error that says something.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "generate_program.h"
#include "support/check.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

constexpr std::uint32_t kMaxStringSize = 1024;

void run(std::string text) {
  const std::size_t size = text.size();
  FakeWorld fake;
  fake.world.macro_args = {"x.d", "12", "name"};
  fake.world.set_option = [&fake](World&, std::string_view name, std::string_view value) -> Status {
    if (name == "strsize") {
      const auto wanted = static_cast<std::uint32_t>(value.empty() ? 0 : value.front() * 8);
      fake.world.string_size = std::clamp<std::uint32_t>(wanted, 1, kMaxStringSize);
    }
    return {};
  };
  std::optional<ir::Program> program = fake.compile(std::move(text));
  DT_CHECK(program.has_value() || fake.diagnostics.any());
  for (const Diagnostic& one : fake.diagnostics.all()) {
    DT_CHECK(one.span.begin <= one.span.end && one.span.end <= size, "{}-{} of {}", one.span.begin,
             one.span.end, size);
    DT_CHECK(!one.text.empty() && !one.tag.empty());
  }
  fake.errors();
  if (program) {
    bpf::generate_whole(std::move(*program), fake.probes);
  }
}

}  // namespace
}  // namespace dt::d

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dt::d::run(std::string(data, data + size));
  return 0;
}
