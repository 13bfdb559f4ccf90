// What each action of a record prints or does.
//
// The actions of a record are performed in the order of the clause's text, when the record is read:
// output that a script writes first appears first, and printa() after clear() prints zeros.

#include <algorithm>
#include <cstring>
#include <utility>

#include "consumer/output/shell_text.h"
#include "consumer/state.h"
#include "consumer/value/describe.h"
#include "consumer/value/memory.h"
#include "consumer/value/print.h"

namespace dt::consumer {
namespace {

using record::ActionKind;

}  // namespace

std::int64_t State::number(const record::Layout& layout, const record::Action& action, Bytes bytes,
                           std::int64_t otherwise) const {
  if (action.field_count == 0) {
    return otherwise;
  }
  return static_cast<std::int64_t>(
      number_of(value_of(layout.fields[action.first_field], bytes)).bits);
}

// With `command`, the text is one for the shell, and goes there: what the script says as it is,
// what was traced as one word.
void State::append_formatted(std::string& text, const record::Layout& layout,
                             const record::Action& action, const Format& format, Bytes bytes,
                             ShellText* command) {
  std::uint32_t next = action.first_field;
  const std::uint32_t end = action.first_field + action.field_count;
  const auto take_number = [&](std::int64_t otherwise) {
    return next < end
               ? static_cast<std::int64_t>(number_of(value_of(layout.fields[next++], bytes)).bits)
               : otherwise;
  };
  const auto append = [&](const Piece& piece) {
    if (next >= end) {
      return;
    }
    const Value value = value_of(layout.fields[next++], bytes);
    if (command == nullptr) {
      fields.append_conversion(text, piece, value);
      if (piece.fit && options.to_terminal && effects != nullptr) {
        cut_line(text, effects->columns());
      }
      return;
    }
    std::string word;
    fields.append_conversion(word, piece, value);
    const bool is_number =
        value.type->kind == record::FieldKind::kInt &&
        (is_integer_conversion(piece.conversion) || is_float_conversion(piece.conversion));
    if (is_number) {
      command->add_script(word);
    } else {
      command->add_traced(word);
    }
  };
  for (const Piece& stored : format) {
    if (command != nullptr) {
      command->add_script(stored.text);
    } else {
      text += stored.text;
    }
    if (stored.conversion == 0) {
      continue;
    }
    if (!stored.width_argument && !stored.precision_argument) {
      append(stored);
      continue;
    }
    Piece piece = stored;
    if (piece.width_argument) {
      set_width(piece, take_number(0));
    }
    if (piece.precision_argument) {
      set_precision(piece, take_number(-1));
    }
    append(piece);
  }
}

// Of a clause that prints other things as well, the row begins on a line of its own.
void State::print_row(const Prepared& prepared, std::size_t index, Bytes bytes) {
  const record::Layout& layout = *prepared.layout;
  const record::Action& action = layout.actions[index];
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < action.field_count; ++i) {
    values.push_back(value_of(layout.fields[action.first_field + i], bytes));
  }
  if (!prepared.is_table && (!options.quiet || options.flow_indent)) {
    page.text += '\n';
  }
  tables.append_row(page.text, action, values);
}

void State::print_typed(const record::Layout& layout, const record::Action& action, Bytes bytes) {
  const Value value = value_of(layout.fields[action.first_field], bytes);
  if (is_probe_part(value.type->kind)) {
    const std::string part = fields.plain(value);
    append_print(page.text, layout.shapes, action.shape,
                 {reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
  } else {
    append_print(page.text, layout.shapes, action.shape, value.bytes);
  }
  page.text += '\n';
}

void State::print_memory(const record::Layout& layout, const record::Action& action, Bytes bytes) {
  append_hex_dump(page.text, memory_of(layout, action, bytes));
}

namespace {

template <typename T>
void append_word(std::string& text, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  text.append(bytes, sizeof value);
}

}  // namespace

// pcap(): in a file of freopen()'s a capture, as libpcap writes it with times in
// ns; elsewhere a dump.
void State::print_packet(const record::Layout& layout, const record::Action& action, Bytes bytes) {
  constexpr std::uint32_t kPcapFields = 5;
  if (action.field_count < kPcapFields) {
    return;
  }
  const auto value = [&](std::uint32_t field) {
    return number_of(value_of(layout.fields[action.first_field + field], bytes)).bits;
  };
  Bytes packet = value_of(layout.fields[action.first_field], bytes).bytes;
  const auto whole = static_cast<std::uint32_t>(packet.size());
  packet = packet.first(static_cast<std::size_t>(std::min<std::uint64_t>(value(1), whole)));
  if (!is_capture) {
    return append_hex_dump(page.text, packet);
  }
  if (!has_capture) {
    page.hand_over();
    if (effects == nullptr || effects->is_at_start()) {
      constexpr std::uint32_t kNanosecondMagic = 0xa1b23c4d;
      append_word(page.text, kNanosecondMagic);
      append_word(page.text, std::uint16_t{2});  // version 2.4
      append_word(page.text, std::uint16_t{4});
      append_word(page.text, std::uint64_t{0});
      append_word(page.text, whole);
      append_word(page.text, static_cast<std::uint32_t>(value(4)));
    }
    has_capture = true;
  }
  constexpr std::uint64_t kSecondNs = 1'000'000'000;
  append_word(page.text, static_cast<std::uint32_t>(value(3) / kSecondNs));
  append_word(page.text, static_cast<std::uint32_t>(value(3) % kSecondNs));
  append_word(page.text, static_cast<std::uint32_t>(packet.size()));
  append_word(page.text, static_cast<std::uint32_t>(value(2)));
  page.text.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

// setopt(), freopen(), ftruncate() and system(): in the order of the records.
// The output of the records before is written before they act.
void State::affect(const Prepared& prepared, std::size_t index, Bytes bytes) {
  const record::Action& action = prepared.layout->actions[index];
  if (action.kind != ActionKind::kSetopt) {
    page.hand_over();
    out.flush();
  }
  if (const Status status = perform(prepared, index, bytes); !status.ok()) {
    record::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::string text = probe_text(header.epid) + ": " + status.error().text;
    say_error(ErrorLine{header.epid, {}, 0, 0, 0, {}, text});
  }
}

Status State::perform(const Prepared& prepared, std::size_t index, Bytes bytes) {
  const record::Layout& layout = *prepared.layout;
  const record::Action& action = layout.actions[index];
  if (effects == nullptr) {
    return Error::of(fmt::format("{}() is not available here", record::action_name(action.kind)));
  }
  const auto text = [&](std::uint32_t field) {
    return field < action.field_count
               ? fields.plain(value_of(layout.fields[action.first_field + field], bytes))
               : std::string();
  };
  if (action.kind == ActionKind::kSetopt) {
    Status status = effects->set_option(text(0), text(1), options);
    if (!status.ok()) {
      return Error::of(fmt::format("couldn't set option \"{}\" to \"{}\": {}", text(0),
                                   action.field_count > 1 ? text(1) : "1", status.error().text));
    }
    return {};
  }
  if (action.kind == ActionKind::kFtruncate) {
    has_capture = false;
    return effects->truncate();
  }
  // What goes to a shell or names a file is exact.
  const bool escape = std::exchange(options.to_terminal, false);
  const bool exact_names = std::exchange(options.exact_names, true);
  const bool is_command = action.kind == ActionKind::kSystem;
  ShellText command;
  std::string formatted;
  append_formatted(formatted, layout, action, prepared.formats[index], bytes,
                   is_command ? &command : nullptr);
  options.to_terminal = escape;
  options.exact_names = exact_names;
  if (is_command) {
    DT_TRY(command.check());
    return effects->run(command.text());
  }
  DT_TRY(effects->reopen(formatted, options));
  is_capture = !formatted.empty();
  has_capture = false;
  return {};
}

void State::act_on_aggregations(const Prepared& prepared, std::size_t index, Bytes bytes) {
  const record::Layout& layout = *prepared.layout;
  const record::Action& action = layout.actions[index];
  switch (action.kind) {
    case ActionKind::kPrinta:
      if (action.format.empty()) {
        aggregation_text.print_default(page, action.aggregations);
      } else {
        aggregation_text.print_formatted(page, action.aggregations, prepared.formats[index]);
      }
      return;
    case ActionKind::kTrunc:
      aggregations.trunc(action.aggregations,
                         action.has_trunc_count ? number(layout, action, bytes, 0) : 0);
      return;
    default:
      break;
  }
  for (const std::uint32_t aggregation : action.aggregations) {
    if (action.kind == ActionKind::kClear) {
      aggregations.clear(aggregation);
    } else {
      const bool is_normal = action.kind == ActionKind::kDenormalize;
      aggregations.normalize(aggregation, is_normal ? 1 : number(layout, action, bytes, 1));
    }
  }
}

void State::act(const Prepared& prepared, std::size_t index, Bytes bytes, Outcome& outcome) {
  const record::Layout& layout = *prepared.layout;
  const record::Action& action = layout.actions[index];
  switch (action.kind) {
    case ActionKind::kTrace:
    case ActionKind::kStack:
    case ActionKind::kUstack:
    case ActionKind::kSym:
      if (action.field_count > 0) {
        fields.append_default(page.text, value_of(layout.fields[action.first_field], bytes),
                              Place::kRow);
      }
      return;
    case ActionKind::kTracemem:
      if (action.field_count > 0) print_memory(layout, action, bytes);
      return;
    case ActionKind::kPrint:
      if (action.field_count > 0) print_typed(layout, action, bytes);
      return;
    case ActionKind::kPrintm:
      if (action.field_count > 0) {
        fields.append_printm(page.text, value_of(layout.fields[action.first_field], bytes).bytes);
      }
      return;
    case ActionKind::kPcap:
      print_packet(layout, action, bytes);
      return;
    case ActionKind::kPrintf:
      append_formatted(page.text, layout, action, prepared.formats[index], bytes);
      return;
    case ActionKind::kPrintrow:
      print_row(prepared, index, bytes);
      return;
    case ActionKind::kPrinta:
    case ActionKind::kClear:
    case ActionKind::kTrunc:
    case ActionKind::kNormalize:
    case ActionKind::kDenormalize:
      act_on_aggregations(prepared, index, bytes);
      return;
    case ActionKind::kExit:
      outcome.exit_status = static_cast<std::int32_t>(number(layout, action, bytes, 0));
      return;
    case ActionKind::kSetopt:
    case ActionKind::kFreopen:
    case ActionKind::kFtruncate:
    case ActionKind::kSystem:
      affect(prepared, index, bytes);
      return;
    case ActionKind::kCommit:
      commit(static_cast<std::int32_t>(number(layout, action, bytes, 0)));
      return;
    case ActionKind::kDiscard:
      speculations.discard(static_cast<std::int32_t>(number(layout, action, bytes, 0)));
      return;
    case ActionKind::kSpeculate:
    case ActionKind::kDefault:
      return;
  }
}

Bytes State::with_numbers(Bytes bytes) {
  record::Header header{};
  if (!supply || bytes.size() < sizeof header) {
    return bytes;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const Prepared* const prepared =
      record::kind_of(header) == record::Kind::kClause ? prepare(header.epid) : nullptr;
  if (prepared == nullptr || prepared->supplied.empty()) {
    return bytes;
  }
  supplied = with_supplied(bytes, prepared->supplied, supply());
  return supplied;
}

}  // namespace dt::consumer
