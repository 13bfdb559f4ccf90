// See reader.h.

#include "recording/reader.h"

namespace dt::recording {
namespace {

void give(support::Tagged& entry, const RecordUnpacker::Record& record) {
  entry.tag = static_cast<std::uint32_t>(Entry::kRecord);
  entry.number = record.firing;
  entry.text = record.bytes;
}

}  // namespace

Result<Reader::Outcome> Reader::next(support::Tagged& entry) {
  if (!packed_.empty()) {
    if (!take_packed(entry)) return Error::of("a record is damaged");
    return Outcome::kEntry;
  }
  while (!entries_.next(entry)) {
    if (entries_.is_damaged()) return Error::of("its entries are damaged");
    DT_ASSIGN(const ChunkReader::Outcome outcome, chunks_.next(raw_));
    if (outcome == ChunkReader::Outcome::kEnd) return Outcome::kEnd;
    if (outcome == ChunkReader::Outcome::kCut) return Outcome::kCut;
    entries_ = support::TaggedReader(raw_);
    records_.begin_chunk();
  }
  if (!take_record(entry)) return Error::of("a record is damaged");
  return Outcome::kEntry;
}

// False if it is damaged.
bool Reader::take_record(support::Tagged& entry) {
  RecordUnpacker::Record record;
  switch (static_cast<Entry>(entry.tag)) {
    case Entry::kRecord:
      records_.keep(entry.text);
      entry.number = 0;
      return true;
    case Entry::kFiringRecord:
      if (!records_.take_whole(entry.text, record)) return false;
      break;
    case Entry::kPackedRecord:
      if (!records_.take(entry.text, record)) return false;
      break;
    case Entry::kRecords:
      packed_ = entry.text;
      return take_packed(entry);
    default:
      return true;
  }
  give(entry, record);
  return true;
}

bool Reader::take_packed(support::Tagged& entry) {
  RecordUnpacker::Record record;
  const bool is_sound = records_.take_next(packed_, record);
  if (!is_sound) packed_ = {};
  give(entry, record);
  return is_sound;
}

Status Reader::begin(Program& program, Sources& sources) {
  DT_TRY(chunks_.begin());
  ProgramReader reader;
  support::Tagged entry;
  while (true) {
    DT_ASSIGN(const Outcome outcome, next(entry));
    if (outcome != Outcome::kEntry) return Error::of("it ends before its program does");
    DT_ASSIGN(const bool is_whole, reader.take(entry, program, sources));
    if (is_whole) return {};
  }
}

}  // namespace dt::recording
