// See export_kinds.h.

#include "api/options/export_kinds.h"

#include <algorithm>
#include <iterator>

namespace dt::api {
namespace {

using Family = ExportKind::Family;

constexpr ExportKind kKinds[] = {
    {"chrome", Family::kTimeline},         {"ctf", Family::kCtf},
    {"graphite", Family::kMetrics},        {"otlp", Family::kMetrics, true},
    {"perfetto", Family::kTimeline, true}, {"prometheus", Family::kMetrics}};

}  // namespace

std::span<const ExportKind> export_kinds() { return kKinds; }

const ExportKind* export_kind(const Options& options) {
  const auto found = std::ranges::find(kKinds, options.oformat, &ExportKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace dt::api
