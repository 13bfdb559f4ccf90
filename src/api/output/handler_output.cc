// See handler_output.h.

#include "api/output/handler_output.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "api/output/views.h"
#include "consumer/structured/json_lines.h"
#include "front/lines.h"
#include "support/shown.h"

namespace dt::api {

using front::Outcome;

Status check_handler_output(const Options& options, const Callbacks& callbacks) {
  if (options.given.contains("base")) {
    return Error::of(
        "option 'base' compares aggregations of programs in D: handlers of the SystemTap language "
        "print text");
  }
  const std::string& form = options.oformat;
  if (!form.empty() && form != "jsonl" && form != "none" && !shows_variables(form)) {
    return Error::of(
        fmt::format("oformat={} shows D's records and aggregations: handlers of the SystemTap "
                    "language print text",
                    form),
        "oformat=jsonl has what handlers print, and svg, folded, csv and others show variables");
  }
  if (!callbacks.record) return {};
  return Error::of(
      "records as values are of programs in D: handlers of the SystemTap language print text",
      "write_to() has what handlers print");
}

bool HandlerOutput::keeps_variables() const {
  return shows_variables(options_.oformat) || wants_views(options_, callbacks_);
}

void HandlerOutput::write_line(const Outcome& outcome) {
  std::string line;
  front::append_line(line, outcome);
  output_->write(line);
}

void HandlerOutput::take(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kText:
      if (is_text()) return output_->write(outcome.text);
      if (!is_lines()) return;
      if (text_.text.empty()) {
        text_ = outcome;
      } else {
        text_.text += outcome.text;
        text_.histograms.insert(text_.histograms.end(), outcome.histograms.begin(),
                                outcome.histograms.end());
      }
      if (!outcome.goes_on || text_.text.size() >= kMostText) {
        write_line(std::exchange(text_, {}));
      }
      return;
    case Outcome::Kind::kMessage:
      if (is_lines()) write_line(outcome);
      return callbacks_.say(outcome.text);
    case Outcome::Kind::kVariable:
      if (keeps_variables()) variables_.push_back(outcome);
      if (outcome.is_asked) return;
      if (is_text()) output_->write(support::shown_text(front::variable_text(outcome)));
      if (is_lines()) write_line(outcome);
      return;
    case Outcome::Kind::kCommand:
      return;
  }
}

void HandlerOutput::drops(std::span<const std::uint64_t> counters) {
  if (!is_lines()) return;
  drops_.each(counters, [this](const consumer::Loss& loss) {
    std::string line;
    consumer::append_drop_line(line, loss);
    output_->write(line);
  });
}

Status HandlerOutput::end(Shown run, const Place& place) {
  if (keeps_variables() && !(run.has_page && is_live_form(options_))) {
    const bool is_page_alone = !shows_variables(options_.oformat);
    if (!(run.has_page && is_page_alone)) {
      DT_TRY(show_variables(variables_, run, options_, callbacks_, place, *output_));
    }
  }
  if (!is_lines()) return {};
  if (!text_.text.empty()) write_line(std::exchange(text_, {}));  // of a recording that was cut
  std::string line;
  consumer::append_end_line(line, run.status);
  output_->write(line);
  return {};
}

}  // namespace dt::api
