// See handler_tables.h.

#include "api/output/handler_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "api/output/effects.h"
#include "api/output/export.h"
#include "api/output/open_place.h"
#include "api/output/pictures.h"
#include "api/output/variable_tables.h"
#include "api/output/views.h"
#include "consumer/consumer.h"
#include "view/plan.h"

namespace dt::api {
namespace {

using front::Outcome;

constexpr std::string_view kForms[] = {"csv",  "folded", "graphite",    "html",       "json",
                                       "otlp", "pprof",  "json,pretty", "prometheus", "speedscope",
                                       "svg",  "term",   "views",       "xml",        "xml,pretty"};
constexpr std::string_view kOfStacks[] = {"folded", "pprof", "speedscope"};
constexpr std::string_view kOfMetrics[] = {"graphite", "otlp", "prometheus"};
// Made while handlers run.
constexpr std::string_view kLive[] = {"html", "term", "views"};

bool is_of_stacks(std::string_view form) {
  return std::ranges::find(kOfStacks, form) != std::end(kOfStacks);
}

// What shows variables, as a person has written it.
std::string asked_form(const Options& options) {
  if (shows_variables(options.oformat)) return "oformat=" + options.oformat;
  return options.listen ? "listen" : options.push.empty() ? "view" : "push";
}

Error nothing_to_show(const Options& options) {
  const std::string& form = options.oformat;
  if (is_of_stacks(form)) {
    return Error::of(
        fmt::format("oformat={} needs a global variable with backtrace() or ubacktrace() as a key, "
                    "and numbers, that no handler reads",
                    form),
        "global s; probe timer.profile { s[ubacktrace()] <<< 1 }");
  }
  const bool is_of_metrics = std::ranges::find(kOfMetrics, form) != std::end(kOfMetrics);
  return Error::of(
      fmt::format("{} needs a global variable that is shown at the end: with "
                  "numbers, {}and that no handler reads",
                  asked_form(options), is_of_metrics ? "without stacks as keys, " : ""),
      "global n; probe syscall.* { n[execname()]++ }");
}

// Of pictures that are made while handlers run, and of those that -x view names.
Status check_views_of_variables(const Options& options, const front::Session& session) {
  const bool is_live = are_live(options);
  using Keepers = std::vector<front::Session::Keeper>;
  const VariableTables tables(session.variables(), is_live ? session.keepers() : Keepers(),
                              nullptr);
  if (!tables.schema().aggregations.empty()) {
    const Result<std::vector<view::View>> views =
        view::plan_views(tables.schema(), tables.sources(), options.views);
    if (!views.ok()) return views.error();
    if (!is_live || !views->empty()) return {};
  }
  return Error::of(fmt::format("{} needs a global variable with numbers: one that no handler "
                               "reads, or that handlers of timers or of the end read",
                               asked_form(options)),
                   "global n; probe syscall.* { n[execname()]++ }");
}

}  // namespace

bool shows_variables(std::string_view oformat) {
  return std::ranges::find(kForms, oformat) != std::end(kForms);
}

bool is_live_form(const Options& options) {
  return std::ranges::find(kLive, options.oformat) != std::end(kLive);
}

bool are_live(const Options& options) {
  return is_live_form(options) || options.listen || !options.push.empty();
}

Status check_variables(const Options& options, const front::Session& session) {
  if (are_live(options) || !options.views.empty()) {
    DT_TRY(check_views_of_variables(options, session));
  }
  if (!shows_variables(options.oformat) || is_live_form(options)) return {};
  const auto shown = session.shown();
  const bool is_fitting = std::ranges::any_of(shown, [&](const front::Session::Shown& one) {
    return !one.is_text && (one.has_stack || !is_of_stacks(options.oformat));
  });
  if (!is_fitting) return nothing_to_show(options);
  return {};
}

Status show_variables(const std::vector<Outcome>& variables, const Shown& run,
                      const Options& options, const Callbacks& callbacks, const Place& place,
                      consumer::FileOutput& output) {
  VariableTables tables(variables);
  const record::Schema& schema = tables.schema();
  if (tables.is_too_large()) {
    return Error::of(
        fmt::format("oformat={} needs too much memory: the keys of the variables, each as long as "
                    "the longest one, have more than {} MiB",
                    options.oformat, VariableTables::kMostBytes >> 20),
        "text and oformat=jsonl show such variables");
  }
  if (tables.texts() > 0) {
    callbacks.say(fmt::format("oformat={} shows numbers: {} variable{} or element{} with a text {}",
                              options.oformat, tables.texts(), tables.texts() == 1 ? "" : "s",
                              tables.texts() == 1 ? "" : "s",
                              tables.texts() == 1 ? "is left out" : "are left out"));
  }
  // A variable without elements has no picture at the end.
  std::vector<std::string> hints = options.views;
  if (run.are_hints_checked) {
    std::erase_if(hints, [&](const std::string& hint) {
      return !view::plan_views(schema, tables.sources(), {hint}).ok();
    });
  }
  DT_ASSIGN(const std::vector<view::View> views, view::plan_views(schema, tables.sources(), hints));
  if (schema.aggregations.empty() || !check_picture(options, schema, views).ok() ||
      !check_export(options, schema, views).ok()) {
    return nothing_to_show(options);
  }
  consumer::Options wanted = consumer_options(options, is_terminal(place));
  if (!shows_variables(options.oformat)) wanted.form = consumer::Form::kPicture;
  bool is_muted = true;  // drops are reported elsewhere
  consumer::Consumer consumer({schema, tables.sources(), tables.names(), tables, output,
                               [&](std::string_view text) {
                                 if (!is_muted) callbacks.say(std::string(text));
                               }},
                              std::move(wanted));
  const Traced traced{run.title, callbacks,    options,  schema,       tables.sources(),
                      views,     run.start_ns, run.host, "--set view="};
  const End end{run.drops, run.end_ns, place};
  if (!run.has_page && wants_views(options, callbacks)) {
    Views page(callbacks, options, schema, tables.sources(), views,
               view::LineHead{run.title, run.host, run.kernel, run.start_ns}, output);
    page.watch(consumer, nullptr);
    consumer.report_drops(run.drops);
    DT_TRY(page.finish(consumer, run.end_ns, run.drops, run.status, place));
  }
  if (!shows_variables(options.oformat) || is_views(options)) return {};
  if (is_export(options)) {
    const std::unique_ptr<Export> made = make_export(traced);
    made->watch(consumer, output);
    made->write_to(place);
    consumer.report_drops(run.drops);
    is_muted = false;
    return made->finish(consumer, output, end);
  }
  is_muted = false;
  if (is_picture(options)) {
    Pictures pictures(traced);
    pictures.watch(consumer, output);
    return pictures.draw(consumer, output, end);
  }
  consumer.print_aggregations();
  consumer.print_end(run.status);
  return {};
}

}  // namespace dt::api
