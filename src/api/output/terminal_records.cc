// See terminal_records.h.

#include "api/output/terminal_records.h"

#include <fmt/core.h>

#include <variant>

#include "api/options/time_text.h"
#include "consumer/structured/csv.h"
#include "consumer/structured/json_lines.h"
#include "consumer/value/format.h"
#include "support/shown.h"
#include "view/schema_text.h"

namespace dt::api {
namespace {

using view::ViewKind;

// "17:02:03.000123456": records may be closer than a microsecond.
std::string exact_time_text(std::int64_t time_ns) {
  return fmt::format("{}.{:09}", consumer::time_text(time_ns, "%H:%M:%S"), time_ns % kSecondNs);
}

}  // namespace

TerminalRecords::TerminalRecords(const record::Schema& schema, const Sources& sources,
                                 const std::vector<view::View>& views)
    : schema_(schema), sources_(sources), by_layout_(schema.layouts.size()) {
  std::vector<view::View> drawn;
  for (const view::View& view : views) {
    if (view.layouts.empty()) continue;
    if (view.kind != ViewKind::kEvents) {
      drawn.push_back(view);
      continue;
    }
    rows_.push_back(&view);
    for (const std::uint32_t layout : view.layouts) {
      Rows& rows = by_layout_[layout].emplace();
      rows.view = &view;
      for (const record::Field& field : view::values_of(schema.layouts[layout])) {
        rows.values.emplace_back(field, support::shown_name(consumer::value_name(sources, field)));
      }
    }
  }
  if (!drawn.empty()) charts_.emplace(schema, sources, drawn);
}

void TerminalRecords::watch(consumer::Consumer& consumer, consumer::FileOutput& output,
                            exports::TermStyle style) {
  output_ = &output;
  style_ = style;
  if (charts_) charts_->watch(consumer);
  if (rows_.empty()) return;
  consumer.when_recorded([this](const record::Header& header, const record::Layout& layout,
                                consumer::Bytes bytes, consumer::FieldText& fields) {
    const auto& rows = by_layout_[static_cast<std::size_t>(&layout - schema_.layouts.data())];
    if (rows) write_row(*rows, header, layout, bytes, fields);
  });
}

// "17:02:03.000123456  4711  syscall:vmlinux:read:entry  execname=cat arg0=3"
void TerminalRecords::write_row(const Rows& rows, const record::Header& header,
                                const record::Layout& layout, std::span<const std::uint8_t> bytes,
                                consumer::FieldText& fields) {
  std::string text;
  if (titled_.insert(rows.view).second) {
    text = "\n" + view::title_of(*rows.view, schema_, sources_) + "\n";
  }
  text += exact_time_text(record::time_of(layout, bytes));
  text += layout.has_thread ? fmt::format("  {:<7}", record::thread_of(layout, bytes).thread)
                            : fmt::format("  CPU {:<3}", header.cpu);
  const record::ProbeNames* const probe =
      record::find_probe(schema_, schema_.epids[header.epid - 1].probe);
  text += "  " + support::shown_name(probe == nullptr ? "?" : view::probe_text(*probe)) + " ";
  for (const auto& [field, name] : rows.values) {
    const std::string value =
        support::shown_name(consumer::csv_text(fields, consumer::value_of(field, bytes)));
    text += name.empty() ? " " + value : fmt::format(" {}={}", name, value);
  }
  output_->write(text + "\n");
}

void TerminalRecords::finish(consumer::Consumer& consumer, std::int64_t start_ns,
                             std::int64_t end_ns) {
  if (!charts_) return;
  const view::Charts charts = charts_->finish(consumer, start_ns, end_ns);
  for (const view::Chart& chart : charts.charts) {
    output_->write(fmt::format("\n{}\n", chart.title));
    if (!chart.note.empty()) output_->write(chart.note + "\n");
    if (const auto* const grid = std::get_if<view::Grid>(&chart.shape)) {
      output_->write(exports::term_samples(*grid, style_));
    } else if (const auto* const lanes = std::get_if<view::Lanes>(&chart.shape)) {
      output_->write(exports::term_lanes(*lanes, charts.begin_ns, charts.end_ns, style_));
      if (lanes->left_out != 0) {
        output_->write(fmt::format("{} less busy lanes are not shown\n", lanes->left_out));
      }
    }
  }
}

}  // namespace dt::api
