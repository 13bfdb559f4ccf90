// See program.h. Each structure of record/schema.h is a list of fields; the tags stand beside
// their members, and a member that has been given up leaves its tag unused.

#include "recording/program.h"

#include <fmt/core.h>

namespace dt::recording {
namespace {

using support::Tagged;
using support::TaggedReader;
using support::TaggedWriter;

// ---- Writing ----

// What `fill` writes, as a field.
template <typename Fill>
void put_within(TaggedWriter& to, std::uint32_t tag, const Fill& fill) {
  std::string bytes;
  TaggedWriter writer(bytes);
  fill(writer);
  to.text(tag, bytes);
}

void put_span(TaggedWriter& to, std::uint32_t tag, const Span& span) {
  if (span == Span{}) return;
  put_within(to, tag, [&](TaggedWriter& out) {
    out.number_unless_0(1, span.source);
    out.number_unless_0(2, span.begin);
    out.number_unless_0(3, span.end);
  });
}

void put_field(TaggedWriter& to, std::uint32_t tag, const record::Field& field) {
  put_within(to, tag, [&](TaggedWriter& out) {
    out.number_unless_0(1, static_cast<std::uint64_t>(field.type.kind));
    out.number_unless_0(2, field.type.size);
    out.number_unless_0(3, field.type.is_signed ? 1 : 0);
    out.number_unless_0(4, field.offset);
    put_span(out, 5, field.span);
  });
}

void put_action(TaggedWriter& to, std::uint32_t tag, const record::Action& action) {
  put_within(to, tag, [&](TaggedWriter& out) {
    out.number_unless_0(1, static_cast<std::uint64_t>(action.kind));
    out.number_unless_0(2, action.first_field);
    out.number_unless_0(3, action.field_count);
    out.text_unless_empty(4, action.format);
    for (const std::uint32_t index : action.aggregations) out.number(5, index);
    out.number_unless_0(6, action.has_trunc_count ? 1 : 0);
    if (action.shape != record::kNoShape) out.number(7, action.shape);
    put_span(out, 8, action.span);
  });
}

void put_shape(TaggedWriter& to, std::uint32_t tag, const record::Shape& shape) {
  put_within(to, tag, [&](TaggedWriter& out) {
    out.number_unless_0(1, static_cast<std::uint64_t>(shape.kind));
    out.number_unless_0(2, shape.is_signed ? 1 : 0);
    out.number_unless_0(3, shape.size);
    out.text_unless_empty(4, shape.name);
    for (const record::Shape::Member& member : shape.members) {
      put_within(out, 5, [&](TaggedWriter& within) {
        within.text_unless_empty(1, member.name);
        within.number_unless_0(2, member.shape);
        within.number_unless_0(3, member.bit_offset);
        within.number_unless_0(4, member.bit_size);
      });
    }
    for (const record::Shape::Enumerator& enumerator : shape.enumerators) {
      put_within(out, 6, [&](TaggedWriter& within) {
        within.text_unless_empty(1, enumerator.name);
        within.number_unless_0(2, support::folded_sign(enumerator.value));
      });
    }
    if (shape.element != record::kNoShape) out.number(7, shape.element);
    out.number_unless_0(8, shape.count);
  });
}

template <typename Fill>
void put_entry(const Put& put, Entry entry, const Fill& fill) {
  std::string bytes;
  TaggedWriter writer(bytes);
  fill(writer);
  put(entry, bytes);
}

void put_head(const Head& head, const Put& put) {
  put_entry(put, Entry::kHead, [&](TaggedWriter& out) {
    out.number(1, head.needs);
    out.text(3, head.host);
    out.text(4, head.kernel);
    out.number(5, head.cpus);
    out.number(6, static_cast<std::uint64_t>(head.start_ns));
    out.text(7, head.title);
    out.text_unless_empty(8, head.language);
  });
}

void put_source(const Source& source, const Put& put) {
  put_entry(put, Entry::kSource, [&](TaggedWriter& out) {
    out.text(1, source.name());
    out.text(2, source.text());
    out.number_unless_0(3, source.from_command_line ? 1 : 0);
    out.number_unless_0(4, source.is_library ? 1 : 0);
    out.number_unless_0(5, source.is_preprocessed ? 1 : 0);
    source.each_marker(
        [&](std::uint32_t physical_line, std::uint32_t line, const std::string& file) {
          put_within(out, 6, [&](TaggedWriter& within) {
            within.number(1, physical_line);
            within.number(2, line);
            within.text(3, file);
          });
        });
  });
}

void put_aggregation(const record::AggLayout& layout, const Put& put) {
  put_entry(put, Entry::kAggregation, [&](TaggedWriter& out) {
    out.text(1, layout.name);
    out.number_unless_0(2, static_cast<std::uint64_t>(layout.func));
    out.number_unless_0(3, support::folded_sign(layout.params.base));
    out.number_unless_0(4, support::folded_sign(layout.params.limit));
    out.number(5, support::folded_sign(layout.params.step));
    out.number_unless_0(6, layout.params.factor);
    out.number_unless_0(7, layout.params.low);
    out.number_unless_0(8, layout.params.high);
    out.number_unless_0(9, layout.params.nsteps);
    for (const record::Field& key : layout.keys) put_field(out, 10, key);
    out.number_unless_0(11, layout.key_bytes);
    out.number_unless_0(12, layout.value_words);
    out.number_unless_0(13, layout.drained ? 1 : 0);
    put_span(out, 14, layout.argument);
  });
}

void put_layout(const record::Layout& layout, const Put& put) {
  put_entry(put, Entry::kLayout, [&](TaggedWriter& out) {
    for (const record::Field& field : layout.fields) put_field(out, 1, field);
    for (const record::Action& action : layout.actions) put_action(out, 2, action);
    for (const record::Shape& shape : layout.shapes) put_shape(out, 3, shape);
    out.number(4, layout.size_bytes);
    out.number_unless_0(5, layout.has_time ? 1 : 0);
    out.number_unless_0(6, layout.urgent ? 1 : 0);
    out.number_unless_0(7, layout.has_thread ? 1 : 0);
  });
}

// ---- Reading ----

std::uint32_t small(const Tagged& field) {
  return field.number > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(field.number);
}

// An enumerator beyond the last one, which a later version has, is refused by find_schema_flaw().
template <typename Enum>
Enum enumerator(const Tagged& field) {
  return static_cast<Enum>(field.number > UINT8_MAX ? UINT8_MAX : field.number);
}

// Calls take(field) for each; false when they are damaged.
template <typename Take>
bool each(std::string_view bytes, const Take& take) {
  TaggedReader reader(bytes);
  Tagged field;
  bool is_sound = true;
  while (is_sound && reader.next(field)) is_sound = take(field);
  return is_sound && !reader.is_damaged();
}

// The same where nothing within can be damaged.
template <typename Take>
bool each_plain(std::string_view bytes, const Take& take) {
  return each(bytes, [&](const Tagged& field) {
    take(field);
    return true;
  });
}

bool take_span(std::string_view bytes, Span& span) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) span.source = small(field);
    if (field.tag == 2) span.begin = small(field);
    if (field.tag == 3) span.end = small(field);
  });
}

bool take_field(std::string_view bytes, record::Field& out) {
  out = {{record::FieldKind::kInt, 0, false}, 0, {}};
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.type.kind = enumerator<record::FieldKind>(field);
    if (field.tag == 2) out.type.size = small(field);
    if (field.tag == 3) out.type.is_signed = field.number != 0;
    if (field.tag == 4) out.offset = small(field);
    return field.tag != 5 || take_span(field.text, out.span);
  });
}

bool take_action(std::string_view bytes, record::Action& out) {
  out.kind = record::ActionKind::kTrace;
  const bool is_sound = each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.kind = enumerator<record::ActionKind>(field);
    if (field.tag == 2) out.first_field = small(field);
    if (field.tag == 3) out.field_count = small(field);
    if (field.tag == 4) out.format = field.text;
    if (field.tag == 5) out.aggregations.push_back(small(field));
    if (field.tag == 6) out.has_trunc_count = field.number != 0;
    if (field.tag == 7) out.shape = small(field);
    return field.tag != 8 || take_span(field.text, out.span);
  });
  if (out.kind == record::ActionKind::kPrintrow) out.columns = record::parse_columns(out.format);
  return is_sound;
}

bool take_shape(std::string_view bytes, record::Shape& out) {
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.kind = enumerator<record::ShapeKind>(field);
    if (field.tag == 2) out.is_signed = field.number != 0;
    if (field.tag == 3) out.size = small(field);
    if (field.tag == 4) out.name = field.text;
    if (field.tag == 7) out.element = small(field);
    if (field.tag == 8) out.count = small(field);
    if (field.tag == 5) {
      record::Shape::Member& member = out.members.emplace_back();
      member.shape = 0;
      return each_plain(field.text, [&](const Tagged& within) {
        if (within.tag == 1) member.name = within.text;
        if (within.tag == 2) member.shape = small(within);
        if (within.tag == 3) member.bit_offset = small(within);
        if (within.tag == 4) member.bit_size = small(within);
      });
    }
    if (field.tag == 6) {
      record::Shape::Enumerator& value = out.enumerators.emplace_back();
      return each_plain(field.text, [&](const Tagged& within) {
        if (within.tag == 1) value.name = within.text;
        if (within.tag == 2) value.value = support::unfolded_sign(within.number);
      });
    }
    return true;
  });
}

bool take_layout(std::string_view bytes, record::Layout& out) {
  out.size_bytes = 0;
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 4) out.size_bytes = small(field);
    if (field.tag == 5) out.has_time = field.number != 0;
    if (field.tag == 6) out.urgent = field.number != 0;
    if (field.tag == 7) out.has_thread = field.number != 0;
    return (field.tag != 1 || take_field(field.text, out.fields.emplace_back())) &&
           (field.tag != 2 || take_action(field.text, out.actions.emplace_back())) &&
           (field.tag != 3 || take_shape(field.text, out.shapes.emplace_back()));
  });
}

bool take_aggregation(std::string_view bytes, record::AggLayout& out) {
  out.value_words = 0;
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.name = field.text;
    if (field.tag == 2) out.func = enumerator<record::AggFunc>(field);
    if (field.tag == 3) out.params.base = support::unfolded_sign(field.number);
    if (field.tag == 4) out.params.limit = support::unfolded_sign(field.number);
    if (field.tag == 5) out.params.step = support::unfolded_sign(field.number);
    if (field.tag == 6) out.params.factor = small(field);
    if (field.tag == 7) out.params.low = small(field);
    if (field.tag == 8) out.params.high = small(field);
    if (field.tag == 9) out.params.nsteps = small(field);
    if (field.tag == 11) out.key_bytes = small(field);
    if (field.tag == 12) out.value_words = small(field);
    if (field.tag == 13) out.drained = field.number != 0;
    return (field.tag != 10 || take_field(field.text, out.keys.emplace_back())) &&
           (field.tag != 14 || take_span(field.text, out.argument));
  });
}

bool take_head(std::string_view bytes, Head& out) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.needs = field.number;
    if (field.tag == 3) out.host = field.text;
    if (field.tag == 4) out.kernel = field.text;
    if (field.tag == 5) out.cpus = small(field);
    if (field.tag == 6) out.start_ns = static_cast<std::int64_t>(field.number);
    if (field.tag == 7) out.title = field.text;
    if (field.tag == 8) out.language = field.text;
  });
}

bool take_source(std::string_view bytes, Sources& sources) {
  struct Marker {
    std::uint32_t physical_line = 0, line = 0;
    std::string file;
  };
  std::string name;
  std::string text;
  bool from_command_line = false, is_library = false, is_preprocessed = false;
  std::vector<Marker> markers;
  const bool is_sound = each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) name = field.text;
    if (field.tag == 2) text = field.text;
    if (field.tag == 3) from_command_line = field.number != 0;
    if (field.tag == 4) is_library = field.number != 0;
    if (field.tag == 5) is_preprocessed = field.number != 0;
    if (field.tag != 6) return true;
    Marker& marker = markers.emplace_back();
    return each_plain(field.text, [&](const Tagged& within) {
      if (within.tag == 1) marker.physical_line = small(within);
      if (within.tag == 2) marker.line = small(within);
      if (within.tag == 3) marker.file = within.text;
    });
  });
  Source source(std::move(name), std::move(text));
  source.from_command_line = from_command_line;
  source.is_library = is_library;
  source.is_preprocessed = is_preprocessed;
  for (Marker& marker : markers) {
    source.set_marker(marker.physical_line, marker.line, std::move(marker.file));
  }
  sources.add(std::move(source));
  return is_sound;
}

bool take_probe(std::string_view bytes, record::ProbeNames& out) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.id = ProbeId(small(field));
    if (field.tag == 2) out.provider = field.text;
    if (field.tag == 3) out.module = field.text;
    if (field.tag == 4) out.function = field.text;
    if (field.tag == 5) out.name = field.text;
  });
}

bool take_epid(std::string_view bytes, record::EpidInfo& out) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.probe = ProbeId(small(field));
    if (field.tag == 2) out.layout = small(field);
    if (field.tag == 3) out.has_more = field.number != 0;
  });
}

bool take_fault_site(std::string_view bytes, record::FaultSite& out) {
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 2) out.action = small(field);
    if (field.tag == 3) out.code_offset = small(field);
    if (field.tag == 4) out.argument = small(field);
    return field.tag != 1 || take_span(field.text, out.span);
  });
}

bool take_option(std::string_view bytes, std::pair<std::string, std::string>& out) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.first = field.text;
    if (field.tag == 2) out.second = field.text;
  });
}

bool take_begin(std::string_view bytes, record::Schema& schema) {
  return each_plain(bytes, [&](const Tagged& field) {
    if (field.tag == 1) schema.speculations = small(field);
  });
}

}  // namespace

void put_program(const Program& program, const Sources& sources, const Put& put) {
  const record::Schema& schema = program.schema;
  put_head(program.head, put);
  for (const auto& option : program.options) {
    put_entry(put, Entry::kOption, [&](TaggedWriter& out) {
      out.text(1, option.first);
      out.text(2, option.second);
    });
  }
  for (std::uint32_t i = 0; i < sources.size(); ++i) put_source(sources.at(i), put);
  for (const record::Layout& layout : schema.layouts) put_layout(layout, put);
  for (const record::AggLayout& layout : schema.aggregations) put_aggregation(layout, put);
  for (const record::EpidInfo& epid : schema.epids) {
    put_entry(put, Entry::kEpid, [&](TaggedWriter& out) {
      out.number_unless_0(1, epid.probe.value);
      out.number_unless_0(2, epid.layout);
      out.number_unless_0(3, epid.has_more ? 1 : 0);
    });
  }
  for (const record::ProbeNames& probe : schema.probes) {
    put_entry(put, Entry::kProbe, [&](TaggedWriter& out) {
      out.number_unless_0(1, probe.id.value);
      out.text_unless_empty(2, probe.provider);
      out.text_unless_empty(3, probe.module);
      out.text_unless_empty(4, probe.function);
      out.text_unless_empty(5, probe.name);
    });
  }
  for (const std::string& stem : schema.stems) put(Entry::kStem, stem);
  for (const record::FaultSite& site : schema.fault_sites) {
    put_entry(put, Entry::kFaultSite, [&](TaggedWriter& out) {
      put_span(out, 1, site.span);
      out.number_unless_0(2, site.action);
      out.number_unless_0(3, site.code_offset);
      if (site.argument != record::kNoArgument) out.number(4, site.argument);
    });
  }
  put_entry(put, Entry::kBegin,
            [&](TaggedWriter& out) { out.number_unless_0(1, schema.speculations); });
}

Result<bool> ProgramReader::take(const Tagged& entry, Program& program, Sources& sources) {
  record::Schema& schema = program.schema;
  bool is_sound = true;
  switch (static_cast<Entry>(entry.tag)) {
    case Entry::kHead:
      is_sound = take_head(entry.text, program.head);
      has_head_ = true;
      if (program.head.needs > kVersion) {
        return Error::of(
            fmt::format("it was made by a later dtrace (its format is {}, and this one knows {})",
                        program.head.needs, kVersion));
      }
      break;
    case Entry::kOption:
      is_sound = take_option(entry.text, program.options.emplace_back());
      break;
    case Entry::kSource:
      is_sound = take_source(entry.text, sources);
      break;
    case Entry::kLayout:
      is_sound = take_layout(entry.text, schema.layouts.emplace_back());
      break;
    case Entry::kAggregation:
      is_sound = take_aggregation(entry.text, schema.aggregations.emplace_back());
      break;
    case Entry::kEpid:
      is_sound = take_epid(entry.text, schema.epids.emplace_back());
      break;
    case Entry::kProbe:
      is_sound = take_probe(entry.text, schema.probes.emplace_back());
      break;
    case Entry::kStem:
      schema.stems.emplace_back(entry.text);
      break;
    case Entry::kFaultSite:
      is_sound = take_fault_site(entry.text, schema.fault_sites.emplace_back());
      break;
    case Entry::kBegin: {
      is_sound = has_head_ && take_begin(entry.text, schema);
      const std::string flaw = is_sound ? find_schema_flaw(schema, sources) : "";
      if (!flaw.empty()) return Error::of("its program is damaged: " + flaw);
      if (is_sound) return true;
      break;
    }
    default:
      break;  // of a later version
  }
  if (!is_sound) return Error::of("its program is damaged");
  return false;
}

}  // namespace dt::recording
