// See base_recording.h.

#include "api/base_recording.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "api/options/request.h"
#include "api/output/convert.h"
#include "api/output/pictures.h"
#include "api/output/view_lines.h"
#include "api/run/compile.h"
#include "api/run/replay.h"
#include "api/tracer_state.h"
#include "support/shown.h"
#include "view/flames.h"

namespace dt::api {

struct BaseRecording::Replayed {
  explicit Replayed(kernel::Kernel& kernel) : compiled(kernel) {}

  Status run(const std::string& file, const std::string& name, const std::string& root);
  const view::Flames& flames() const { return replay->pictures()->flames(); }

  Compiled compiled;
  Request request;
  Callbacks callbacks;
  Place place;
  std::string said;
  std::unique_ptr<Replay> replay;
};

BaseRecording::BaseRecording(std::unique_ptr<Replayed> replayed) : replayed_(std::move(replayed)) {}

BaseRecording::~BaseRecording() = default;

const view::Flames& BaseRecording::flames() const { return replayed_->flames(); }

Result<std::unique_ptr<BaseRecording>> BaseRecording::read(const std::string& file,
                                                           const std::string& name,
                                                           const std::string& root,
                                                           kernel::Kernel& kernel) {
  auto replayed = std::make_unique<Replayed>(kernel);
  if (Status status = replayed->run(file, name, root); !status.ok()) {
    Error error = status.error();
    return std::move(error).with(fmt::format("base={}", support::shown_name(file)));
  }
  return std::unique_ptr<BaseRecording>(new BaseRecording(std::move(replayed)));
}

Status BaseRecording::Replayed::run(const std::string& file, const std::string& name,
                                    const std::string& root) {
  request.options.oformat = "folded";
  if (!root.empty()) {
    request.options.views = {fmt::format("@{}:flame,root={}", name == "_" ? "" : name, root)};
  }
  compiled.options = request.options;
  callbacks.message = [this](const dtrace::Message& message) {
    said += (said.empty() ? "" : "; ") + message.text;
  };
  DT_ASSIGN(std::unique_ptr<Recording> recording, open_recording(file, compiled));
  if (!plan_output(compiled).ok()) return Error::of("it has no aggregation by stack");
  replay = std::make_unique<Replay>(compiled, std::move(recording), request, callbacks, place);
  const auto& all = flames().all();
  if (std::ranges::find(all, name, &view::Flame::name) == all.end()) {
    return Error::of(
        fmt::format("it has no stacks of @{}", name == "_" ? "" : support::shown_name(name)));
  }
  DT_TRY(replay->go());
  while (true) {
    DT_ASSIGN(const bool goes_on, replay->poll(Run::Clock::time_point::max()));
    if (!goes_on) break;
  }
  DT_TRY(replay->stop());
  return replay->is_whole() ? Status() : Status(Error::of(said));
}

}  // namespace dt::api

namespace dtrace {

// What the flame graph is compared with.
Status Tracer::State::read_base() {
  const std::string& name = compiled.options.base;
  if (name.empty()) {
    return {};
  }
  const auto first = std::find_if(
      compiled.views.begin(), compiled.views.end(),
      [](const dt::view::View& view) { return view.kind == dt::view::ViewKind::kFlame; });
  const bool compares =
      compiled.options.oformat == "svg" || dt::api::is_views(compiled.options) || callbacks.views;
  if (!compares) {
    return Error{"option 'base' compares flame graphs", 0, "-x oformat=svg or html, or -x listen",
                 "", ""};
  }
  if (first == compiled.views.end()) {
    return Error{"option 'base' compares flame graphs, and this program has none", 0,
                 "@[ustack()] = count();", "", ""};
  }
  const std::uint32_t index = first->aggregations.front();
  auto read = dt::api::BaseRecording::read(name, compiled.plan.schema.aggregations[index].name,
                                           first->root, *kernel);
  if (!read.ok()) {
    return dt::api::given(std::move(read.error()));
  }
  base = std::move(*read);
  compiled.base = &base->flames();
  return {};
}

}  // namespace dtrace
