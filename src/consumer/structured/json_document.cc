// FreeBSD's structured output.

#include "consumer/structured/json_document.h"

#include <algorithm>

#include "consumer/structured/json_value.h"
#include "consumer/value/print.h"
#include "support/clock.h"
#include "support/shown.h"

namespace dt::consumer {
namespace {

using record::ActionKind;
using record::FieldKind;
using record::Shape;

// The number of libdtrace for a kind of drops.
std::uint64_t drop_kind(std::string_view tag) {
  constexpr std::string_view kKinds[] = {"PRINCIPAL",      "AGGREGATION", "DYNAMIC",  "DYNRINSE",
                                         "DYNDIRTY",       "SPEC",        "SPECBUSY", "SPECUNAVAIL",
                                         "STKSTROVERFLOW", "DBLERROR"};
  return static_cast<std::uint64_t>(std::find(std::begin(kKinds), std::end(kKinds), tag) -
                                    std::begin(kKinds));
}

void write_stack(support::Json& json, FieldText& fields, const Value& value) {
  const bool user = !is_kernel_stack(value);
  json.begin_object().key(user ? "ustack-frames" : "stack-frames").begin_array();
  fields.each_named_frame(value, [&](const NamedFrame& frame) {
    const symbol::Symbol& symbol = frame.symbol;
    json.begin_object().field("symbol", frame.text());
    if (!symbol.module.empty()) {
      json.field("module", symbol.module);
    }
    if (!symbol.name.empty()) {
      json.field("name", symbol.name);
    }
    if (symbol::is_source_frame(frame.address)) {
      if (frame.line != 0) json.field("line", std::uint64_t{frame.line});
    } else {
      json.field("offset",
                 fmt::format("0x{:x}", symbol.name.empty() ? frame.address : symbol.offset));
    }
    json.end_object();
  });
  json.end_array().end_object();
}

// sym() and similar: the name, and the number that it is made from.
void write_symbol(support::Json& json, FieldText& fields, const Value& value) {
  const std::string text = fields.plain(value);
  const std::size_t quote = text.find('`');
  json.begin_object().field(record::kind_name(value.type->kind), text);
  if (quote != std::string::npos) {
    json.field("object", text.substr(0, quote)).field("name", text.substr(quote + 1));
  } else if (text.starts_with("0x")) {
    json.field("offset", text);
  }
  json.end_object();
}

// print(): the type, then every member within it, one after another.
class Members {
 public:
  Members(support::Json& json, const std::vector<Shape>& shapes) : json_(json), shapes_(shapes) {}

  void all(std::uint32_t index, Bytes bytes) {
    const Shape& shape = shapes_[index];
    json_.begin_object().field("object-name", "vmlinux").field("name", shape.name);
    json_.field("ctfid", std::uint64_t{index} + 1);
    if (shape.members.empty()) {
      json_.field("value", text(index, bytes));
    }
    json_.end_object();
    members(shape, bytes, 0);
  }

 private:
  void members(const Shape& shape, Bytes bytes, int depth) {
    constexpr int kMaxDepth = 128;
    for (const Shape::Member& member : shape.members) {
      if (member.shape >= shapes_.size() || depth > kMaxDepth) {
        continue;
      }
      const Shape& inner = shapes_[member.shape];
      const Bytes part = part_of(bytes, member.bit_offset / 8, inner.size);
      json_.begin_object().field("member-name", member.name).field("name", inner.name);
      json_.field("ctfid", std::uint64_t{member.shape} + 1);
      if (member.bit_size != 0) {
        json_.field("value",
                    fmt::format("0x{:x}", bits_at(bytes, member.bit_offset, member.bit_size)));
      } else if (inner.members.empty()) {
        json_.field("value", text(member.shape, part));
      }
      json_.end_object();
      members(inner, part, depth + 1);
    }
  }

  // As print() shows it, without the type.
  std::string text(std::uint32_t index, Bytes bytes) const {
    std::string shown;
    append_print(shown, shapes_, index, bytes);
    const std::size_t type = support::shown_name(shapes_[index].name).size();
    return shown.substr(std::min(shown.size(), type + 1));
  }

  support::Json& json_;
  const std::vector<Shape>& shapes_;
};

void write_plain(support::Json& json, FieldText& fields, const Value& value) {
  switch (form_of(value.type->kind)) {
    case ValueForm::kNumber:
      json.begin_object().key("value");
      write_number(json, number_of(value));
      json.end_object();
      return;
    case ValueForm::kFrames:
      return write_stack(json, fields, value);
    case ValueForm::kSymbol:
      return write_symbol(json, fields, value);
    case ValueForm::kBytes:
      json.begin_object().field("value", hexadecimal(value.bytes)).end_object();
      return;
    case ValueForm::kText:
      json.begin_object().field("value", fields.plain(value)).end_object();
      return;
  }
}

}  // namespace

void JsonDocument::separate(std::string& out) {
  out += begun_ ? ",\n" : "{\"dtrace\": {\"probes\": [\n";
  begun_ = true;
}

void JsonDocument::append_record(std::string& out, const record::Header& header,
                                 const record::Layout& layout, Bytes bytes, const Text& text,
                                 const Printa& printa) {
  separate(out);
  support::Json json(out);
  const ProbeId id = schema_.epids[header.epid - 1].probe;
  const record::ProbeNames* names = record::find_probe(schema_, id);
  const std::int64_t time = layout.has_time && !layout.fields.empty()
                                ? record::time_of(layout, bytes)
                                : support::now_ns(CLOCK_REALTIME);
  json.begin_object().field("timestamp", time).field("cpu", std::uint64_t{header.cpu});
  json.field("id", std::uint64_t{id.value});
  if (names != nullptr) {
    json.field("provider", names->provider)
        .field("module", names->module)
        .field("function", names->function)
        .field("name", names->name);
  }
  json.key("output").begin_array();
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    if (layout.actions[i].kind == ActionKind::kPrinta) {
      printa(json, layout.actions[i]);
    } else {
      action(json, layout, i, bytes, text);
    }
  }
  json.end_array().end_object();
}

void JsonDocument::action(support::Json& output, const record::Layout& layout, std::size_t index,
                          Bytes bytes, const Text& text) {
  const record::Action& action = layout.actions[index];
  const record::Field* first =
      action.field_count > 0 ? &layout.fields[action.first_field] : nullptr;
  switch (action.kind) {
    case ActionKind::kPrintf:
      output.begin_object().field("message", text(index)).end_object();
      for (std::uint32_t i = 0; i < action.field_count; ++i) {
        write_plain(output, fields_, value_of(layout.fields[action.first_field + i], bytes));
      }
      return;
    case ActionKind::kPrintrow:
      row(output, layout, action, bytes);
      return;
    case ActionKind::kTracemem:
    case ActionKind::kPcap:
    case ActionKind::kPrintm:
      if (first != nullptr) {
        output.begin_object()
            .field(record::action_name(action.kind), hexadecimal(value_of(*first, bytes).bytes))
            .end_object();
      }
      return;
    case ActionKind::kPrint:
      if (first != nullptr && action.shape < layout.shapes.size()) {
        output.begin_object().key("type").begin_array();
        Members(output, layout.shapes).all(action.shape, value_of(*first, bytes).bytes);
        output.end_array().end_object();
      }
      return;
    case ActionKind::kTrace:
    case ActionKind::kStack:
    case ActionKind::kUstack:
    case ActionKind::kSym:
      if (first != nullptr) {
        write_plain(output, fields_, value_of(*first, bytes));
      }
      return;
    default:  // printa() has its own place, and the others print nothing
      return;
  }
}

// FreeBSD has no rows: one is an object with a member for each column.
void JsonDocument::row(support::Json& output, const record::Layout& layout,
                       const record::Action& action, Bytes bytes) {
  output.begin_object().key("row").begin_array();
  for (std::uint32_t i = 0; i < action.field_count && i < action.columns.size(); ++i) {
    const Value value = value_of(layout.fields[action.first_field + i], bytes);
    output.begin_object().field("name", action.columns[i].name);
    write_value(output, fields_, value);
    output.end_object();
  }
  output.end_array().end_object();
}

void JsonDocument::begin_internal(support::Json& json, const char* name, int cpu) {
  json.begin_object()
      .field("timestamp", support::now_ns(CLOCK_REALTIME))
      .field("cpu", std::int64_t{cpu})
      .field("id", std::int64_t{-1})
      .field("provider", "dtrace")
      .field("module", "INTERNAL")
      .field("function", "INTERNAL")
      .field("name", name);
}

void JsonDocument::append_drop(std::string& out, const Loss& loss) {
  separate(out);
  support::Json json(out);
  begin_internal(json, "DROP", loss.cpu);
  std::uint64_t& total = lost_[{loss.tag, loss.cpu}];
  total += loss.count;
  json.field("count", loss.count).field("total", total);
  json.field("kind", drop_kind(loss.tag)).field("msg", loss.text + "\n");
  json.end_object();
}

void JsonDocument::append_aggregations(std::string& out,
                                       const std::function<void(support::Json& output)>& write) {
  separate(out);
  support::Json json(out);
  begin_internal(json, "AGGREGATIONS", -1);
  json.key("output").begin_array();
  write(json);
  json.end_array().end_object();
}

void JsonDocument::append_end(std::string& out) {
  if (!begun_) {
    out += "{\"dtrace\": {\"probes\": [";
  }
  out += "\n]}}\n";
}

}  // namespace dt::consumer
