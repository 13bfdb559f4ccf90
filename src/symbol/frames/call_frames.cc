// See call_frames.h. The formats are those of DWARF 5, 6.4.1, and of the Linux Standard
// Base, 10.6: entries one after the other, of two kinds.
//
//   what functions have in common (a "CIE"):
//     length | 0 | version | augmentation NUL | code and data alignment | register of the
//     return address | data of the augmentation | instructions that all begin with
//   a function (an "FDE"):
//     length | where its CIE is | address | size | data | instructions
//
// .debug_frame differs in how the second field tells the two apart, and in what it counts
// from.

#include "symbol/frames/call_frames.h"

#include <elf.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "symbol/frames/code_frames.h"
#include "symbol/frames/frame_bytes.h"
#include "symbol/frames/frame_program.h"
#include "symbol/frames/frame_table_maker.h"
#include "symbol/frames/go_table.h"

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxOffset = std::numeric_limits<std::uint32_t>::max();
// A length of 0xffffffff is followed by one of 8 bytes (the 64-bit format of DWARF); those from
// 0xfffffff0 on are reserved, and where an entry of such a length ends is unknown.
constexpr std::uint32_t kLongLength = 0xffffffff, kFirstReservedLength = 0xfffffff0;
constexpr std::uint8_t kOmitted = 0xff, kSizeMask = 0x0f;
constexpr std::size_t kMaxCommons = std::size_t{1} << 18;
constexpr std::uint64_t kReturnAddress = 16;  // the column of rip

// The bytes of one of the sections, wherever they were found.
struct Frames {
  ElfFile::Bytes bytes;
  std::uint64_t address = 0;
  bool is_debug = false;  // .debug_frame
  // An entry of length 0 is the last. Otherwise it is what some object brought along that
  // the linker put before others.
  bool ends_at_zero = false;
  std::optional<std::uint64_t> data;
};

class FrameReader {
 public:
  FrameReader(const ElfFile& elf, Frames frames);
  // Reads the whole section in one pass over its entries, so that time is bounded by their size.
  // Functions are read when all entries have been, because in .debug_frame a CIE may stand behind
  // the functions that refer to it.
  void read();
  FrameTable table();
  std::vector<CodeRange> ranges() const;

 private:
  // A function, as yet without its CIE: in .debug_frame that may come later.
  struct Entry {
    std::uint64_t common;  // where the CIE is in the section
    std::size_t at;        // of what follows that
    std::size_t size;
  };
  struct Common {
    std::size_t at;  // in the section
    FrameConventions conventions;
  };
  struct Function {
    std::uint32_t begin, end;  // in the file
    std::uint64_t address;
    std::size_t common;  // in commons_
    std::size_t text, text_size;
  };

  FrameBytes part(std::size_t at, std::size_t size) const {
    return {std::span<const std::uint8_t>(frames_.bytes).subspan(at, size), frames_.address + at};
  }
  void read_entry(std::size_t at, std::size_t body, FrameBytes in, bool is_long);
  std::optional<FrameConventions> read_common(FrameBytes in) const;
  bool read_augmentation(std::string_view letters, FrameBytes& in, FrameConventions& out) const;
  void read_function(const Entry& entry);
  // Sets where the code is in the file; false for what is no code, or too far.
  bool locate(std::uint64_t size, Function& out) const;
  void add_rows(const Function& function, std::uint32_t begin, FrameTableMaker& table) const;

  Frames frames_;
  std::vector<ElfFile::Segment> code_;  // by address
  std::vector<Entry> entries_;
  std::vector<Common> commons_;  // in the order of the section
  std::vector<Function> functions_;
};

FrameReader::FrameReader(const ElfFile& elf, Frames frames) : frames_(std::move(frames)) {
  for (const ElfFile::Segment& one : elf.segments()) {
    if (one.is_executable && one.file_size != 0 && one.offset <= kMaxOffset) code_.push_back(one);
  }
  std::stable_sort(code_.begin(), code_.end(),
                   [](const auto& a, const auto& b) { return a.address < b.address; });
}

void FrameReader::read() {
  FrameBytes in = part(0, frames_.bytes.size());
  while (in.left() >= sizeof(std::uint32_t)) {
    const std::size_t at = in.position();
    const auto word = in.read<std::uint32_t>();
    // A linked file has one terminator, put there by crtend.o. But a linker that merges sections
    // can leave one of an object in the middle; where the section's size is known, it is skipped.
    if (word == 0 && frames_.ends_at_zero) break;
    if (word >= kFirstReservedLength && word != kLongLength) break;
    const bool is_long = word == kLongLength;
    const std::uint64_t length = is_long ? in.read<std::uint64_t>() : word;
    const std::size_t body = in.position();
    const FrameBytes entry = in.take(length);
    if (!in.ok()) break;
    read_entry(at, body, entry, is_long);
  }
  for (const Entry& one : entries_) read_function(one);
}

// `in`: what follows the length, which is at `body`.
void FrameReader::read_entry(std::size_t at, std::size_t body, FrameBytes in, bool is_long) {
  // In .eh_frame the field has four bytes, whatever the length has.
  const bool is_wide = is_long && frames_.is_debug;
  const std::uint64_t id = is_wide ? in.read<std::uint64_t>() : in.read<std::uint32_t>();
  if (!in.ok()) return;
  const std::uint64_t none = is_wide ? ~std::uint64_t{0} : std::uint64_t{0xffffffff};
  if (id == (frames_.is_debug ? none : 0)) {
    if (commons_.size() == kMaxCommons) return;
    if (auto conventions = read_common(in)) commons_.push_back({at, *conventions});
    return;
  }
  // .debug_frame: from the beginning of the section. .eh_frame: backwards from this field itself.
  const std::uint64_t common = frames_.is_debug ? id : body - id;
  entries_.push_back({common, body + in.position(), in.left()});
}

// The initial instructions of a CIE are run once here. The state that they leave is where each of
// its functions begins, and what DW_CFA_restore goes back to.
std::optional<FrameConventions> FrameReader::read_common(FrameBytes in) const {
  FrameConventions out;
  out.data = frames_.data;
  const auto version = in.read<std::uint8_t>();
  if (version != 1 && version != 3 && version != 4) return std::nullopt;
  const std::string_view letters = in.text();
  if (version == 4) {
    const auto address_bytes = in.read<std::uint8_t>(), segment_bytes = in.read<std::uint8_t>();
    if (address_bytes != sizeof(std::uint64_t) || segment_bytes != 0) return std::nullopt;
  }
  // The order of the fields is the format's: the pointer of "eh" comes before the alignments, the
  // data of 'z' behind the column. The column has one byte in version 1, and is a ULEB128 later.
  if (letters == "eh") in.read<std::uint64_t>();  // of gcc before 3.0
  out.code_alignment = in.uleb();
  out.data_alignment = in.sleb();
  const std::uint64_t column = version == 1 ? in.read<std::uint8_t>() : in.uleb();
  if (letters != "eh" && !read_augmentation(letters, in, out)) return std::nullopt;
  if (!in.ok()) return std::nullopt;
  FrameProgram program(out, in);
  // Instructions that go on to another place belong to functions.
  const bool is_one_place = program.run(0) == FrameProgram::kEnd && !program.is_damaged();
  out.initial = program.state();
  out.is_damaged = !is_one_place || column != kReturnAddress;
  return out;
}

// z: the data's length, R: how addresses are encoded, L and P: for exceptions, S: a signal's frame.
//
// False for a letter that is not known: what comes after it cannot be interpreted. Without 'z'
// there are no data, and a letter that has some is read in vain.
bool FrameReader::read_augmentation(std::string_view letters, FrameBytes& in,
                                    FrameConventions& out) const {
  out.has_data = letters.starts_with('z');
  FrameBytes data = in.take(out.has_data ? in.uleb() : 0);
  for (const char letter : letters.substr(out.has_data ? 1 : 0)) {
    switch (letter) {
      case 'R':
        out.encoding = data.read<std::uint8_t>();
        break;
      case 'L':
        data.read<std::uint8_t>();
        break;
      case 'P':
        data.number(data.read<std::uint8_t>());
        break;
      case 'S':
        out.is_signal = true;
        break;
      case 'B':  // of other processors
      case 'G':
        break;
      default:
        return false;
    }
  }
  return data.ok() && out.encoding != kOmitted;
}

void FrameReader::read_function(const Entry& entry) {
  // The reference of a function is a number of the file. It counts only where an entry was met: one
  // that begins within another could make many of few bytes. The entries are sorted, because they
  // were met in the order of the section.
  const auto common =
      std::lower_bound(commons_.begin(), commons_.end(), entry.common,
                       [](const Common& one, std::uint64_t at) { return one.at < at; });
  if (common == commons_.end() || common->at != entry.common) return;
  const FrameConventions& how = common->conventions;
  FrameBytes in = part(entry.at, entry.size);
  Function out{};
  out.common = static_cast<std::size_t>(common - commons_.begin());
  out.address = in.pointer(how.encoding, how.data);
  const std::uint64_t size = in.number(how.encoding & kSizeMask);
  if (how.has_data) in.take(in.uleb());
  if (!in.ok() || !locate(size, out)) return;
  out.text = entry.at + in.position();
  out.text_size = in.left();
  functions_.push_back(out);
}

// Addresses of the file become offsets in it here: a table by offset holds for every process,
// wherever the file is mapped.
bool FrameReader::locate(std::uint64_t size, Function& out) const {
  const auto after =
      std::upper_bound(code_.begin(), code_.end(), out.address,
                       [](std::uint64_t at, const auto& one) { return at < one.address; });
  if (after == code_.begin()) return false;
  const ElfFile::Segment& segment = *(after - 1);
  const std::uint64_t within = out.address - segment.address;
  if (within >= segment.file_size || within > kMaxOffset) return false;
  const std::uint64_t begin = segment.offset + within;
  const std::uint64_t end = begin + std::min({size, segment.file_size - within, kMaxOffset});
  // The header of the file is no code: linkers leave 0 of functions that they removed.
  if (begin == 0 || begin > kMaxOffset) return false;
  out.begin = static_cast<std::uint32_t>(begin);
  out.end = static_cast<std::uint32_t>(std::min(end, kMaxOffset));
  return out.begin < out.end;
}

std::vector<CodeRange> FrameReader::ranges() const {
  std::vector<CodeRange> all;
  for (const Function& one : functions_) {
    all.push_back({one.address, one.address + (one.end - one.begin)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Functions that overlap, as in damaged files, or of code that the linker folded: the first one
// counts up to its end. So the rows ascend, and their number is bounded by the section's size.
FrameTable FrameReader::table() {
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
  FrameTableMaker table;
  std::uint32_t covered = 0;
  for (const Function& one : functions_) {
    if (one.end <= covered) continue;
    add_rows(one, std::max(one.begin, covered), table);
    covered = one.end;
    table.add(covered, {});
  }
  return table.take();
}

// Those from `begin` on.
void FrameReader::add_rows(const Function& function, std::uint32_t begin,
                           FrameTableMaker& table) const {
  FrameProgram program(commons_[function.common].conventions,
                       part(function.text, function.text_size));
  const std::uint64_t size = function.end - function.begin;
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t next = program.run(function.address + at);
    const std::uint64_t to =
        next == FrameProgram::kEnd ? size : std::min(next - function.address, size);
    const std::uint64_t offset = function.begin + at;
    if (function.begin + to > begin) {
      table.add(std::max(static_cast<std::uint32_t>(offset), begin), program.rule());
    }
    at = to;
  }
}

// The call frame information by the segment PT_GNU_EH_FRAME, which a file without section headers
// has, too:
//
//   version 1 | three encodings | pointer to .eh_frame | ...
//
// It says where .eh_frame begins and not where it ends; the segment that contains it bounds it, and
// the terminator ends it, as `ends_at_zero` says.
Result<Frames> frames_by_header(const ElfFile& elf) {
  Frames frames;
  frames.ends_at_zero = true;
  const std::optional<std::uint64_t> address = elf.unwind_header();
  const auto offset = address ? elf.offset_of(*address) : std::nullopt;
  std::uint8_t header[12];
  if (!offset || !elf.read(*offset, header, sizeof header) || header[0] != 1) return frames;
  constexpr std::size_t kPointerAt = 4;
  FrameBytes in(std::span<const std::uint8_t>(header).subspan(kPointerAt), *address + kPointerAt);
  frames.address = in.pointer(header[1], *address);
  if (!in.ok()) return frames;
  for (const ElfFile::Segment& one : elf.segments()) {
    const std::uint64_t within = frames.address - one.address;
    if (frames.address < one.address || within >= one.file_size) continue;
    const std::uint64_t size = one.file_size - within;
    if (size > kMaxFrameBytes) break;
    frames.bytes.resize(size);
    if (!elf.read(one.offset + within, frames.bytes.data(), size)) {
      return Error::of("ELF: a segment is beyond the end");
    }
    break;
  }
  return frames;
}

Result<Frames> find_frames(const ElfFile& elf) {
  if (!elf.has_sections()) return frames_by_header(elf);
  Frames frames;
  frames.is_debug = !elf.has(".eh_frame");
  const char* const name = frames.is_debug ? ".debug_frame" : ".eh_frame";
  DT_ASSIGN(frames.bytes, elf.section(name, kMaxFrameBytes));
  frames.address = elf.section_address(name);
  // DW_EH_PE_datarel counts from the GOT in .eh_frame on x86-64, and in .eh_frame_hdr from that
  // section.
  if (elf.has(".got")) frames.data = elf.section_address(".got");
  return frames;
}

Result<FrameReader> read_frames(const ElfFile& elf) {
  if (elf.machine() != EM_X86_64) return Error::of("ELF: not a program for x86-64");
  DT_ASSIGN(Frames frames, find_frames(elf));
  FrameReader reader(elf, std::move(frames));
  reader.read();
  return reader;
}

}  // namespace

Result<FrameTable> frame_table(const ElfFile& elf) {
  DT_ASSIGN(FrameReader reader, read_frames(elf));
  FrameTable table = reader.table();
  const std::optional<GoTable> go = GoTable::read(elf);
  // Go's own tables and the code itself fill only what the file's unwind table leaves open.
  return with_code_frames(go ? with_go_frames(table, *go, elf) : table, elf);
}

std::uint64_t frame_table_memory(const ElfFile& elf) {
  constexpr std::uint64_t kPerByte = 6;
  std::uint64_t bytes = 0;
  for (const char* name : {".eh_frame", ".debug_frame", ".gopclntab"}) {
    bytes += std::min(elf.section_size(name), kMaxFrameBytes);
  }
  return kPerByte * bytes;
}

Result<std::vector<CodeRange>> frame_ranges(const ElfFile& elf) {
  DT_ASSIGN(const FrameReader reader, read_frames(elf));
  std::vector<CodeRange> ranges = reader.ranges();
  if (const std::optional<GoTable> go = GoTable::read(elf)) {
    for (const GoFunction& one : go->functions()) {
      ranges.push_back({one.address, one.address + one.size});
    }
    std::sort(ranges.begin(), ranges.end());
  }
  return ranges;
}

}  // namespace dt::symbol
