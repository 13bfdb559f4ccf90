#pragma once
// The names of -x oformat for which a run makes an export (export.h).

#include <cstdint>
#include <span>
#include <string_view>

#include "api/options/options.h"

namespace dt::api {

struct ExportKind {
  enum class Family : std::uint8_t { kTimeline, kMetrics, kCtf };
  std::string_view name;
  Family family;
  bool is_binary = false;
};

std::span<const ExportKind> export_kinds();
// That of -x oformat; null where it names none.
const ExportKind* export_kind(const Options& options);

}  // namespace dt::api
