// See samples.h.

#include "api/output/samples.h"

#include <fmt/core.h>

#include <algorithm>

#include "consumer/structured/json_lines.h"
#include "exports/perf_script.h"
#include "record/drop.h"

namespace dt::api {
namespace {

using record::FieldKind;

bool is_stack(const record::Field& field) {
  return field.type.kind == FieldKind::kStack || field.type.kind == FieldKind::kUstack;
}

bool has_stack(const record::Layout& layout) {
  return std::ranges::any_of(layout.fields, is_stack);
}

// The kernel's frames are inner ones, whatever the order of the values.
exports::PerfSample sample_of(const record::Schema& schema, const Sources& sources,
                              const record::Header& header, const record::Layout& layout,
                              consumer::Bytes bytes, consumer::FieldText& fields) {
  exports::PerfSample sample;
  std::vector<consumer::NamedFrame> user;
  sample.cpu = header.cpu;
  const record::ProbeNames* const probe =
      record::find_probe(schema, schema.epids[header.epid - 1].probe);
  if (probe != nullptr) sample.event = probe->name;
  for (const record::Field& field : layout.fields) {
    const consumer::Value value = consumer::value_of(field, bytes);
    const std::string name = consumer::value_name(sources, field);
    if (is_stack(field)) {
      const bool is_kernel = consumer::is_kernel_stack(value);
      if (!is_kernel) sample.pid = consumer::load_u64(value.bytes, 0);
      fields.each_named_frame(value, [&](consumer::NamedFrame& frame) {
        (is_kernel ? sample.frames : user).push_back(std::move(frame));
      });
    } else if (name == "execname" && field.type.kind == FieldKind::kString) {
      sample.command = fields.plain(value);
    } else if (name == "pid" && field.type.kind == FieldKind::kInt && sample.pid == 0) {
      sample.pid = consumer::number_of(value).bits;
    }
  }
  sample.time_ns = record::time_of(layout, bytes);
  sample.frames.insert(sample.frames.end(), std::make_move_iterator(user.begin()),
                       std::make_move_iterator(user.end()));
  return sample;
}

}  // namespace

bool is_samples(const Options& options) { return options.oformat == "perfscript"; }

Status check_samples(const Options& options, const record::Schema& schema) {
  if (!is_samples(options) || std::ranges::any_of(schema.layouts, has_stack)) return {};
  return Error::of("oformat=perfscript needs records with a stack", "profile-97 { ustack(); }");
}

void write_samples(consumer::Consumer& consumer, consumer::FileOutput& output,
                   const record::Schema& schema, const Sources& sources) {
  consumer.when_recorded([&](const record::Header& header, const record::Layout& layout,
                             consumer::Bytes bytes, consumer::FieldText& fields) {
    if (!has_stack(layout)) return;
    output.write(exports::perf_script(sample_of(schema, sources, header, layout, bytes, fields)));
  });
}

std::string missing_samples(std::span<const std::uint64_t> drops) {
  constexpr record::Drop kLost[] = {record::Drop::kPrincipal, record::Drop::kNesting};
  std::uint64_t lost = 0;
  for (std::size_t cpu = 0; cpu + record::kDropCounters <= drops.size();
       cpu += record::kDropCounters) {
    for (const record::Drop kind : kLost) lost += drops[cpu + static_cast<std::size_t>(kind)];
  }
  return lost == 0 ? "" : fmt::format("# {} dropped\n", lost);
}

}  // namespace dt::api
