// See variable_pictures.h.

#include "api/output/variable_pictures.h"

#include <fmt/core.h>

#include <utility>

#include "api/options/time_text.h"
#include "api/output/effects.h"
#include "api/output/pictures.h"
#include "api/output/views.h"
#include "support/check.h"
#include "view/lines.h"

namespace dt::api {
namespace {

consumer::Options picture_options(const Options& options) {
  consumer::Options out = consumer_options(options, false);
  out.form = consumer::Form::kPicture;
  return out;
}

}  // namespace

// Drops are reported elsewhere, and variables can always be read.
VariablePictures::VariablePictures(front::Session& session, const Options& options,
                                   const Callbacks& callbacks, const view::LineHead& head,
                                   consumer::FileOutput& output)
    : session_(session),
      callbacks_(callbacks),
      output_(output),
      tables_(session.variables(), session.keepers(),
              [this](std::uint32_t variable, const front::Session::VisitVariable& visit) {
                session_.read(variable, visit);
              }),
      consumer_({tables_.schema(), tables_.sources(), tables_.names(), tables_, output,
                 [](std::string_view) {}},
                picture_options(options)) {
  const record::Schema& schema = tables_.schema();
  Result<std::vector<view::View>> views =
      view::plan_views(schema, tables_.sources(), options.views);
  DT_CHECK(views.ok(), "a hint that was checked: {}", views.error().text);
  views_ = std::move(*views);
  if (wants_views(options, callbacks)) {
    lines_ = std::make_unique<Views>(callbacks, options, schema, tables_.sources(), views_, head,
                                     output);
    lines_->watch(consumer_, nullptr);
  }
  if (options.oformat == "term") {
    term_ =
        std::make_unique<Pictures>(Traced{head.title, callbacks, options, schema, tables_.sources(),
                                          views_, head.start_ns, head.host, "--set view="});
    term_->watch(consumer_, output);
  }
}

VariablePictures::~VariablePictures() = default;

// A handler within another one is that of a file which a command of system() reads. What it empties
// is counted as emptied by the outer one.
void VariablePictures::around(std::uint32_t keeper, const std::function<void()>& handler) {
  if (std::exchange(is_in_handler_, true)) return handler();
  const std::int64_t time_ns = now_ns();
  tables_.forget();
  const record::Layout& printing = tables_.printing(keeper);
  const bool prints = !printing.actions.empty();
  if (prints) consumer_.act(printing, time_ns, false, [] {});
  const record::Layout& emptying = tables_.emptying(keeper);
  if (emptying.actions.empty()) {
    handler();
  } else {
    consumer_.act(emptying, time_ns, prints, [&] {
      handler();
      tables_.forget();
    });
  }
  is_in_handler_ = false;
  say_what_is_left_out();
}

void VariablePictures::refresh() {
  session_.look([this] {
    tables_.forget();
    const std::int64_t time_ns = now_ns();
    if (lines_ != nullptr) lines_->refresh(consumer_, time_ns);
  });
  say_what_is_left_out();
}

void VariablePictures::say_what_is_left_out() {
  if (!tables_.is_too_large() || std::exchange(has_said_, true)) return;
  callbacks_.say(
      fmt::format("pictures leave out elements of variables: their keys have more than "
                  "{} MiB",
                  VariableTables::kMostBytes >> 20));
}

void VariablePictures::drops(std::span<const std::uint64_t> counters) {
  consumer_.report_drops(counters);
  if (lines_ != nullptr) lines_->drops(counters);
}

Status VariablePictures::finish(const Shown& run, const Place& place) {
  Status done;
  session_.look([&] {
    tables_.forget();
    if (lines_ != nullptr) {
      done = lines_->finish(consumer_, run.end_ns, run.drops, run.status, place);
    }
    if (done.ok() && term_ != nullptr)
      done = term_->draw(consumer_, output_, {run.drops, run.end_ns, place});
  });
  say_what_is_left_out();
  return done;
}

}  // namespace dt::api
