// Checking records and showing them raw.

#include "consumer/value/describe.h"

#include <algorithm>
#include <cstring>

#include "consumer/value/value.h"
#include "support/shown.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  append_c_escaped(out, text);
  out += '"';
}

void append_field(std::string& out, const record::Field& field, Bytes record) {
  const Value value{&field.type, record.subspan(field.offset, field.type.size)};
  const Number number = number_of(value);
  switch (field.type.kind) {
    case FieldKind::kInt:
      out += fmt::format(" {}int{} ", field.type.is_signed ? "" : "u", field.type.size * 8);
      out += number.is_signed ? std::to_string(static_cast<std::int64_t>(number.bits))
                              : std::to_string(number.bits);
      return;
    case FieldKind::kString:
      out += fmt::format(" string{} ", field.type.size);
      append_quoted(out, c_string(value.bytes));
      return;
    case FieldKind::kBytes:
      out += fmt::format(" bytes{} ", field.type.size);
      for (const std::uint8_t byte : value.bytes) {
        out += fmt::format("{:02x}", byte);
      }
      return;
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      out += fmt::format(" {} {}", record::kind_name(field.type.kind), number.bits);
      return;
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      out += fmt::format(" {}", record::kind_name(field.type.kind));
      for (std::size_t at = 0; at + 8 <= value.bytes.size(); at += 8) {
        out += fmt::format(" 0x{:x}", load_u64(value.bytes, at));
      }
      return;
  }
}

void append_action(std::string& out, const record::Schema& schema, const record::Layout& layout,
                   const record::Action& action, Bytes record) {
  out += fmt::format("  {}", record::action_name(action.kind));
  if (!action.format.empty()) {
    out += ' ';
    append_quoted(out, action.format);
  }
  for (const std::uint32_t index : action.aggregations) {
    out += " @";
    out += index < schema.aggregations.size() ? support::shown_name(schema.aggregations[index].name)
                                              : "?";
  }
  for (std::uint32_t i = 0; i < action.field_count; ++i) {
    append_field(out, layout.fields[action.first_field + i], record);
  }
  out += '\n';
}

}  // namespace

std::string probe_name(const record::ProbeNames* names) {
  if (names == nullptr) {
    return "?";
  }
  return support::shown_name(
      fmt::format("{}:{}:{}:{}", names->provider, names->module, names->function, names->name));
}

bool is_sound(const record::Layout& layout) {
  const auto fits = [&](const record::Field& field) {
    return field.offset <= layout.size_bytes && field.type.size <= layout.size_bytes - field.offset;
  };
  const auto within = [&](const record::Action& action) {
    return action.first_field <= layout.fields.size() &&
           action.field_count <= layout.fields.size() - action.first_field;
  };
  return std::all_of(layout.fields.begin(), layout.fields.end(), fits) &&
         std::all_of(layout.actions.begin(), layout.actions.end(), within);
}

std::string find_flaw(const record::Schema& schema, Bytes bytes) {
  if (bytes.size() < sizeof(record::Header)) {
    return fmt::format("{} bytes are too few for its header", bytes.size());
  }
  record::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.epid == 0 || header.epid > schema.epids.size()) {
    return fmt::format("no enabled probe has ID {}", header.epid);
  }
  switch (record::kind_of(header)) {
    case record::Kind::kFault:
      return bytes.size() < sizeof(record::FaultRecord)
                 ? fmt::format("{} bytes are too few for a fault", bytes.size())
                 : std::string();
    case record::Kind::kClause: {
      const std::uint32_t index = schema.epids[header.epid - 1].layout;
      if (index >= schema.layouts.size() || !is_sound(schema.layouts[index])) {
        return fmt::format("enabled probe ID {} has no layout", header.epid);
      }
      const std::uint32_t need = schema.layouts[index].size_bytes;
      return bytes.size() < need ? fmt::format("{} bytes where enabled probe ID {} records {}",
                                               bytes.size(), header.epid, need)
                                 : std::string();
    }
  }
  return fmt::format("unknown kind {}", static_cast<std::uint32_t>(record::kind_of(header)));
}

std::string describe_record(const record::Schema& schema, Bytes bytes) {
  const std::string flaw = find_flaw(schema, bytes);
  if (!flaw.empty()) {
    return fmt::format("malformed: {}\n", flaw);
  }
  record::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const record::EpidInfo& info = schema.epids[header.epid - 1];
  const std::string name = probe_name(record::find_probe(schema, info.probe));
  const std::uint16_t number = record::firing_of(header);
  const std::string firing = number == 0 ? std::string() : fmt::format(" firing={}", number);
  if (record::kind_of(header) == record::Kind::kFault) {
    record::FaultRecord fault;
    std::memcpy(&fault, bytes.data(), sizeof fault);
    return fmt::format("fault epid={} cpu={}{} {} site={} {} address=0x{:x}\n", header.epid,
                       header.cpu, firing, name, fault.site,
                       record::fault_text(static_cast<record::Fault>(fault.fault)), fault.address);
  }
  std::string out =
      fmt::format("clause epid={} cpu={}{} {}\n", header.epid, header.cpu, firing, name);
  const record::Layout& layout = schema.layouts[info.layout];
  for (const record::Action& action : layout.actions) {
    append_action(out, schema, layout, action, bytes);
  }
  return out;
}

}  // namespace dt::consumer
