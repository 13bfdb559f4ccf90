// -x oformat=ctf: records as events, in a directory.

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

#include "api/output/export.h"
#include "consumer/structured/csv.h"
#include "consumer/structured/json_lines.h"
#include "exports/ctf.h"
#include "record/drop.h"
#include "support/fd.h"
#include "view/flames.h"
#include "view/schema_text.h"

namespace dt::api {
namespace {

using exports::CtfField;
using exports::CtfStreams;

CtfField field_of(const record::Field& field, const Sources& sources) {
  CtfField out;
  out.name = consumer::value_name(sources, field);
  if (view::is_stack(field)) {
    out.kind = CtfField::Kind::kStrings;
    out.name = record::kind_name(field.type.kind);
  } else if (consumer::form_of(field.type.kind) != consumer::ValueForm::kNumber) {
    out.kind = CtfField::Kind::kString;
  } else {
    out.bytes = field.type.size;
    out.is_signed = field.type.is_signed;
  }
  return out;
}

class CtfExport final : public Export {
 public:
  explicit CtfExport(const Traced& traced) : traced_(traced) {}

  void watch(consumer::Consumer& consumer, consumer::FileOutput& output) override {
    directory_ = output.descriptor();
    streams_.emplace(directory_);
    consumer.when_recorded(
        [this](const record::Header& header, const record::Layout& layout,
               std::span<const std::uint8_t> bytes,
               consumer::FieldText& fields) { record(header, layout, bytes, fields); });
    consumer.when_counted([this](std::span<const std::uint64_t> drops) { discard(drops); });
  }

  Status finish(consumer::Consumer&, consumer::FileOutput&, const End& end) override {
    latest_ns_ = std::max(latest_ns_, end.time_ns);
    Status status = write_metadata();
    if (status.ok()) status = streams_->finish();
    if (status.ok()) return {};
    Error error = status.error();  // its files are named as they are called in the directory
    error.text += fmt::format(", in {}", end.place.name);
    return error;
  }

 private:
  Status write_metadata() const {
    std::vector<exports::CtfEvent> events;
    for (std::uint32_t i = 0; i < traced_.schema.epids.size(); ++i) {
      const record::EpidInfo& epid = traced_.schema.epids[i];
      const record::ProbeNames* const probe = record::find_probe(traced_.schema, epid.probe);
      exports::CtfEvent event;
      event.id = i + 1;
      event.name = probe == nullptr ? "?" : view::probe_text(*probe);
      for (const record::Field& field : view::values_of(traced_.schema.layouts[epid.layout])) {
        event.fields.push_back(field_of(field, traced_.sources));
      }
      events.push_back(std::move(event));
    }
    const Fd fd(::openat(directory_, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!fd.valid()) return support::system_error("failed to create metadata", errno);
    consumer::FileOutput file(fd.get(), "metadata");
    file.write(exports::ctf_metadata(events, traced_.host, traced_.title));
    file.flush();
    return file.error() ? Status(*file.error()) : Status();
  }

  void record(const record::Header& header, const record::Layout& layout,
              std::span<const std::uint8_t> bytes, consumer::FieldText& fields) {
    const bool is_shown = std::ranges::any_of(layout.actions, [](const record::Action& action) {
      return view::shows_records(action.kind);
    });
    if (!is_shown) return;
    std::string payload;
    for (const record::Field& field : view::values_of(layout)) {
      const consumer::Value value = consumer::value_of(field, bytes);
      const CtfField::Kind kind = field_of(field, traced_.sources).kind;
      if (kind == CtfField::Kind::kInteger) {
        CtfStreams::put_integer(payload, consumer::number_of(value).bits, field.type.size);
      } else if (kind == CtfField::Kind::kString) {
        CtfStreams::put_string(payload, consumer::csv_text(fields, value));
      } else {
        put_stack(payload, value, fields);
      }
    }
    const record::Thread thread = record::thread_of(layout, bytes);
    const std::int64_t time_ns = record::time_of(layout, bytes);
    latest_ns_ = std::max(latest_ns_, time_ns);
    streams_->add(header.cpu, time_ns, header.epid, thread.process, thread.thread, payload);
  }

  static void put_stack(std::string& payload, const consumer::Value& value,
                        consumer::FieldText& fields) {
    std::vector<std::string> frames;
    fields.each_named_frame(
        value, [&](consumer::NamedFrame& frame) { frames.push_back(view::frame_name(frame)); });
    CtfStreams::put_integer(payload, frames.size(), 4);
    for (const std::string& frame : frames) CtfStreams::put_string(payload, frame);
  }

  // Lost records, by CPU.
  void discard(std::span<const std::uint64_t> drops) {
    const std::size_t cpus = drops.size() / record::kDropCounters;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      const auto of = [&](record::Drop kind) {
        return drops[cpu * record::kDropCounters + static_cast<std::size_t>(kind)];
      };
      streams_->discard(static_cast<std::uint32_t>(cpu),
                        of(record::Drop::kPrincipal) + of(record::Drop::kNesting), latest_ns_);
    }
  }

  Traced traced_;
  int directory_ = -1;
  std::optional<CtfStreams> streams_;
  std::int64_t latest_ns_ = 0;
};

}  // namespace

std::unique_ptr<Export> make_ctf_export(const Traced& traced) {
  return std::make_unique<CtfExport>(traced);
}

}  // namespace dt::api
