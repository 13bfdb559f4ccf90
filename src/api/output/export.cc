// See export.h.

#include "api/output/export.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <numeric>

#include "api/options/export_kinds.h"
#include "support/fd.h"
#include "view/schema_text.h"

namespace dt::api {
namespace {

// Without a stack: of those there is a picture.
bool has_counts(const record::Schema& schema, const std::vector<view::View>& views) {
  return std::ranges::any_of(views, [&](const view::View& view) {
    return std::ranges::any_of(view.aggregations, [&](std::uint32_t index) {
      return std::ranges::none_of(schema.aggregations[index].keys, view::is_stack);
    });
  });
}

bool has_records(const std::vector<view::View>& views) {
  return std::ranges::any_of(views, [](const view::View& view) { return !view.layouts.empty(); });
}

}  // namespace

bool is_export(const Options& options) { return export_kind(options) != nullptr; }

Status check_export(const Options& options, const record::Schema& schema,
                    const std::vector<view::View>& views) {
  const ExportKind* const known = export_kind(options);
  const auto is_native = [](const view::View& view) { return view.is_native; };
  if (options.oformat != "otlp" && std::ranges::any_of(views, is_native)) {
    return Error::of("view: hist=native needs oformat=otlp",
                     "the text format of Prometheus has histograms with bounds only");
  }
  if (!options.push.empty() && !has_counts(schema, views)) {
    return Error::of("push needs an aggregation without stacks", "@[execname] = count();");
  }
  if (known == nullptr) return {};
  if (known->family == ExportKind::Family::kCtf) {
    if (has_records(views)) return {};
    return Error::of("oformat=ctf needs records of other probes than BEGIN, END and tick-",
                     "syscall::read:entry { trace(arg0); }");
  }
  if (has_counts(schema, views)) return {};
  if (known->family == ExportKind::Family::kTimeline) {
    if (has_records(views)) return {};
    return Error::of(fmt::format("oformat={} needs an aggregation without stacks, or records of "
                                 "other probes than BEGIN, END and tick-",
                                 options.oformat),
                     "syscall::read:entry { trace(arg0); } syscall::read:return { trace(arg0); }");
  }
  return Error::of(fmt::format("oformat={} needs an aggregation without stacks", options.oformat),
                   "@[execname] = count();");
}

std::unique_ptr<Export> make_export(const Traced& traced) {
  const ExportKind* const known = export_kind(traced.options);
  if (known == nullptr) return nullptr;
  switch (known->family) {
    case ExportKind::Family::kTimeline:
      return make_timeline_export(traced);
    case ExportKind::Family::kMetrics:
      return make_metrics_export(traced);
    case ExportKind::Family::kCtf:
      return make_ctf_export(traced);
  }
  return nullptr;
}

// A reader of the file sees the old or the new one, and never a part: it is written beside it and
// renamed.
Status replace_output(consumer::FileOutput& output, const Place& place, std::string_view text) {
  struct stat there {
  }, named{};
  // No device, and no link: what it means is written.
  const bool is_file = place.replaces && ::fstat(output.descriptor(), &there) == 0 &&
                       ::lstat(place.name.c_str(), &named) == 0 && S_ISREG(named.st_mode);
  if (!is_file) {
    if (place.replaces) DT_TRY(output.truncate());
    output.write(text);
    return {};
  }
  const std::string beside = place.name + ".new";
  const Fd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  const auto failed = [&](const char* what) {
    const int code = errno;
    ::unlink(beside.c_str());
    return support::system_error(fmt::format("failed to {} {}", what, beside), code);
  };
  if (!fd.valid()) {  // a directory that cannot be written, for example
    DT_TRY(output.truncate());
    output.write(text);
    return {};
  }
  static_cast<void>(::fchmod(fd.get(), named.st_mode & 07777));
  consumer::FileOutput file(fd.get(), beside);
  file.write(text);
  file.flush();
  if (file.error()) {
    ::unlink(beside.c_str());
    return *file.error();
  }
  if (::rename(beside.c_str(), place.name.c_str()) != 0) return failed("rename");
  return {};
}

std::uint64_t all_drops(std::span<const std::uint64_t> drops) {
  return std::accumulate(drops.begin(), drops.end(), std::uint64_t{0});
}

}  // namespace dt::api
