// See base_recording.h.

#include "api/base_recording.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/convert.h"
#include "api/pictures.h"
#include "api/tracer_state.h"
#include "api/view_lines.h"
#include "support/shown.h"

namespace dt::api {

Result<std::unique_ptr<BaseRecording>> BaseRecording::read(const std::string& file,
                                                           const std::string& name,
                                                           const std::string& root,
                                                           kernel::Kernel& kernel) {
  std::unique_ptr<BaseRecording> base(new BaseRecording(kernel));
  if (Status status = base->run(file, name, root); !status.ok()) {
    Error error = status.error();
    return std::move(error).with(fmt::format("base={}", support::shown_name(file)));
  }
  return base;
}

// As a picture that is written nowhere.
Status BaseRecording::run(const std::string& file, const std::string& name,
                          const std::string& root) {
  request_.options.oformat = "folded";
  if (!root.empty()) {
    request_.options.views = {fmt::format("@{}:flame,root={}", name == "_" ? "" : name, root)};
  }
  compiled_.options = request_.options;
  callbacks_.message = [this](const dtrace::Message& message) {
    said_ += (said_.empty() ? "" : "; ") + message.text;
  };
  DT_ASSIGN(std::unique_ptr<Recording> recording, open_recording(file, compiled_));
  if (!plan_output(compiled_).ok()) return Error::of("it has no aggregation by stack");
  replay_ = std::make_unique<Replay>(compiled_, std::move(recording), request_, callbacks_, place_);
  const auto& all = flames().all();
  if (std::ranges::find(all, name, &view::Flame::name) == all.end()) {
    return Error::of(
        fmt::format("it has no stacks of @{}", name == "_" ? "" : support::shown_name(name)));
  }
  DT_TRY(replay_->go());
  while (true) {
    DT_ASSIGN(const bool goes_on, replay_->poll(Run::Clock::time_point::max()));
    if (!goes_on) break;
  }
  DT_TRY(replay_->stop());
  return replay_->is_whole() ? Status() : Status(Error::of(said_));
}

const view::Flames& BaseRecording::flames() const { return replay_->pictures()->flames(); }

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
