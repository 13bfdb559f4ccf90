// See line_table.h.
//
// The line table of a unit (DWARF 5, 6.2) is a program for a small machine whose registers are an
// address, a file and a line; its output is a row for each instruction that emits one. Most rows
// take one byte: a special opcode advances both the address and the line,
//
//   opcode - opcode_base = address advance * line_range + (line advance - line_base)
//
// and the encodings of the header (line_base, line_range) are chosen by the compiler to make most
// steps fit. A sequence is a run of ascending addresses; rows of different sequences, as of
// functions in sections of their own, are in no order.
//
// Version 5 changed the header: names of files and directories have self-described formats, and
// both count from 0, where the compilation's own directory and file are. Older versions count files
// from 1.

#include "symbol/dwarf/line_table.h"

#include <algorithm>
#include <array>

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxLineBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMaxRows = 4 << 20;
constexpr std::size_t kMaxFileNames = 1 << 16;
constexpr std::size_t kMaxFormats = 64;

// What the program is made of (6.2.5).
enum class LineOp : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kSetColumn = 5,
  kNegateStatement = 6,
  kBasicBlock = 7,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum class ExtendedOp : std::uint8_t { kEndSequence = 1, kSetAddress = 2, kDefineFile = 3 };

constexpr std::uint64_t kContentPath = 1, kContentDirectory = 2;

}  // namespace

struct LineTable::Header {
  DwarfWidths widths{0, 8, 4};
  std::uint64_t instruction_bytes = 1;
  std::int64_t line_base = 0;
  std::uint64_t line_range = 1, opcode_base = 10;
  std::array<std::uint8_t, 256> operands{};  // how many each operation has
};

LineTable LineTable::read(DwarfUnits& units, const DwarfUnit& unit) {
  LineTable table;
  if (!unit.line_table) return table;
  constexpr std::uint64_t kLengthBytes = 12;
  ElfFile::Bytes room;
  std::uint64_t size = 0;
  {
    const auto bytes = units.line().part(*unit.line_table, kLengthBytes, room);
    DwarfCursor cursor(bytes, 0, bytes.size());
    size = cursor.fixed(4);
    if (size == 0xffffffff) size = cursor.fixed(8);
    if (!cursor.ok() || size > kMaxLineBytes) return table;
    size += cursor.at();
  }
  const auto bytes = units.line().part(*unit.line_table, size, room);
  DwarfCursor cursor(bytes, 0, bytes.size());
  Header header;
  if (table.read_header(cursor, units, unit, header)) table.run(cursor, header);
  table.code_.order();
  table.rows_.shrink_to_fit();
  return table;
}

// length | version | [sizes] | length of what follows | how the program is coded | names
bool LineTable::read_header(DwarfCursor& cursor, DwarfUnits& units, const DwarfUnit& unit,
                            Header& header) {
  if (cursor.fixed(4) == 0xffffffff) {
    header.widths.offset_size = 8;
    cursor.skip(8);
  }
  header.widths.version = static_cast<std::uint16_t>(cursor.fixed(2));
  header.widths.address_size = unit.widths.address_size;
  if (header.widths.version >= 5) {
    header.widths.address_size = static_cast<std::uint8_t>(cursor.fixed(1));
    cursor.skip(1);
  }
  if (!cursor.ok() || header.widths.version < 2 || header.widths.version > 5) return false;
  const std::uint64_t length = cursor.fixed(header.widths.offset_size);
  DwarfCursor program = cursor;
  program.skip(length);
  header.instruction_bytes = cursor.fixed(1);
  if (header.widths.version >= 4) cursor.skip(1);  // operations of one instruction
  cursor.skip(1);                                  // whether rows begin a statement
  header.line_base = static_cast<std::int8_t>(cursor.fixed(1));
  header.line_range = cursor.fixed(1);
  header.opcode_base = cursor.fixed(1);
  if (!cursor.ok() || header.line_range == 0) return false;
  for (std::uint64_t i = 1; i < header.opcode_base; ++i) {
    header.operands[i] = static_cast<std::uint8_t>(cursor.fixed(1));
  }
  bool has_names = false;
  if (header.widths.version >= 5) {
    has_names = read_names(cursor, header, directories_) && read_names(cursor, header, files_);
  } else {
    directories_.push_back({{{}, units.directory_of(unit)}, 0});
    files_.emplace_back();  // they are counted from 1
    has_names = read_old_names(cursor);
  }
  cursor = program;
  return has_names && program.ok();
}

// directory | ... | "" | file, its directory, time, size | ... | ""
bool LineTable::read_old_names(DwarfCursor& cursor) {
  while (cursor.ok() && directories_.size() < kMaxFileNames) {
    const std::string_view name = cursor.text();
    if (name.empty()) break;
    directories_.push_back({{{}, std::string(name)}, 0});
  }
  while (cursor.ok() && files_.size() < kMaxFileNames) {
    const std::string_view name = cursor.text();
    if (name.empty()) break;
    const std::uint64_t directory = cursor.uleb();
    cursor.uleb();
    cursor.uleb();
    files_.push_back({{{}, std::string(name)}, directory});
  }
  return cursor.ok();
}

// how many formats | what, form | ... | how many names | values | ...
bool LineTable::read_names(DwarfCursor& cursor, const Header& header, std::vector<File>& to) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> formats(
      std::min<std::uint64_t>(cursor.fixed(1), kMaxFormats));
  for (auto& [what, form] : formats) {
    what = cursor.uleb();
    form = cursor.uleb();
  }
  const std::uint64_t count = cursor.uleb();
  if (count > kMaxFileNames) return false;
  for (std::uint64_t i = 0; i < count && cursor.ok(); ++i) {
    File file;
    for (const auto& [what, form] : formats) {
      DwarfValue value;
      if (!read_form(cursor, form, 0, header.widths, value)) return false;
      if (what == kContentPath) file.name = Name::of(value);
      if (what == kContentDirectory) file.directory = value.number;
    }
    to.push_back(std::move(file));
  }
  return cursor.ok();
}

void LineTable::emit(const Registers& at) {
  rows_.push_back({at.address, {narrow(at.file), narrow(at.line)}});
}

// An operation with a length, so that a reader can skip one that it does not know. False: damaged.
bool LineTable::run_extended(DwarfCursor& cursor, Registers& state) {
  const std::uint64_t length = cursor.uleb();
  const std::uint64_t end = cursor.at() + length;
  if (!cursor.ok() || length == 0 || length > cursor.left()) return false;
  const auto op = static_cast<ExtendedOp>(cursor.fixed(1));
  // Its row is the first address behind the sequence, and no place of code.
  if (op == ExtendedOp::kEndSequence) {
    emit(state);
    end_sequence(state.first_row);
    state = {.first_row = static_cast<std::uint32_t>(rows_.size())};
  } else if (op == ExtendedOp::kSetAddress) {
    state.address = cursor.fixed(length - 1);
  } else if (op == ExtendedOp::kDefineFile && files_.size() < kMaxFileNames) {
    const std::string_view name = cursor.text();
    files_.push_back({{{}, std::string(name)}, cursor.uleb()});
  }
  if (!cursor.ok() || cursor.at() > end) return false;
  cursor.skip(end - cursor.at());
  return true;
}

void LineTable::run(DwarfCursor& cursor, const Header& header) {
  Registers state = {.first_row = static_cast<std::uint32_t>(rows_.size())};
  const auto advance = [&](std::uint64_t by) { state.address += by * header.instruction_bytes; };
  while (cursor.ok() && !cursor.at_end() && rows_.size() < kMaxRows) {
    const std::uint64_t op = cursor.fixed(1);
    if (op >= header.opcode_base) {
      const std::uint64_t special = op - header.opcode_base;
      advance(special / header.line_range);
      state.line += static_cast<std::uint64_t>(
          header.line_base + static_cast<std::int64_t>(special % header.line_range));
      emit(state);
      continue;
    }
    switch (static_cast<LineOp>(op)) {
      case LineOp::kExtended:
        if (!run_extended(cursor, state)) {
          rows_.resize(state.first_row);
          return;
        }
        break;
      case LineOp::kCopy:
        emit(state);
        break;
      case LineOp::kAdvancePc:
        advance(cursor.uleb());
        break;
      case LineOp::kAdvanceLine:
        state.line += static_cast<std::uint64_t>(cursor.sleb());
        break;
      case LineOp::kSetFile:
        state.file = cursor.uleb();
        break;
      case LineOp::kConstAddPc:
        advance((255 - header.opcode_base) / header.line_range);
        break;
      case LineOp::kFixedAdvancePc:
        state.address += cursor.fixed(2);
        break;
      case LineOp::kSetColumn:
      case LineOp::kNegateStatement:
      case LineOp::kBasicBlock:
      default:  // of later versions: the header says how many operands
        for (int i = 0; i < header.operands[op]; ++i) cursor.uleb();
        break;
    }
  }
  rows_.resize(state.first_row);  // of a sequence that has no end
}

// Rows of a sequence ascend, by the standard; a file that does not keep to it is sorted.
void LineTable::end_sequence(std::uint32_t first) {
  const auto begin = rows_.begin() + first;
  const auto is_before = [](const Row& a, const Row& b) { return a.address < b.address; };
  if (!std::is_sorted(begin, rows_.end(), is_before)) {
    std::stable_sort(begin, rows_.end(), is_before);
  }
  // Code that the linker has left out begins at 0.
  if (begin->address == 0) {
    rows_.erase(begin, rows_.end());
    return;
  }
  code_.add(begin->address, rows_.back().address, static_cast<std::uint32_t>(sequences_.size()));
  sequences_.push_back({first, static_cast<std::uint32_t>(rows_.size() - 1)});
}

std::optional<LineTable::Place> LineTable::find(std::uint64_t address) const {
  const std::optional<std::uint32_t> number = code_.find(address);
  if (!number) return std::nullopt;
  const Sequence& sequence = sequences_[*number];
  const auto after =
      std::upper_bound(rows_.begin() + sequence.first, rows_.begin() + sequence.last, address,
                       [](std::uint64_t value, const Row& row) { return value < row.address; });
  return std::prev(after)->place;
}

LineTable::Name LineTable::Name::of(const DwarfValue& value) {
  if (value.kind == DwarfValue::Kind::kText) return {{}, std::string(value.text)};
  return {value, {}};
}

std::string LineTable::Name::read(DwarfUnits& units, const DwarfUnit& unit) const {
  return value.kind == DwarfValue::Kind::kNothing ? text : units.text(unit, value);
}

const std::string& LineTable::path(DwarfUnits& units, const DwarfUnit& unit, std::uint32_t file) {
  const auto [known, is_new] = paths_.try_emplace(file);
  if (is_new) {
    known->second = read_path(units, unit, file);
    path_bytes_ += sizeof *known + known->second.size();
  }
  return known->second;
}

std::string LineTable::read_path(DwarfUnits& units, const DwarfUnit& unit,
                                 std::uint32_t file) const {
  if (file >= files_.size()) return {};
  const auto within = [](const std::string& directory, const std::string& name) {
    return directory.empty() || name.starts_with('/') ? name : directory + '/' + name;
  };
  const auto directory = [&](std::size_t i) { return directories_[i].name.read(units, unit); };
  const std::string name = files_[file].name.read(units, unit);
  const std::uint64_t number = files_[file].directory;
  if (name.empty() || name.starts_with('/') || number >= directories_.size()) return name;
  const std::string path = within(directory(number), name);
  return number == 0 || path.starts_with('/') ? path : within(directory(0), path);
}

std::size_t LineTable::bytes() const {
  std::size_t bytes =
      rows_.capacity() * sizeof(Row) + sequences_.capacity() * sizeof(Sequence) + code_.bytes();
  for (const std::vector<File>* names : {&files_, &directories_}) {
    for (const File& file : *names) bytes += sizeof file + file.name.text.size();
  }
  return bytes;
}

}  // namespace dt::symbol
