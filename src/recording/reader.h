#pragma once
// A recording, entry after entry.

#include <cstdint>
#include <string>

#include "recording/chunk.h"
#include "recording/packed.h"
#include "recording/program.h"
#include "support/result.h"
#include "support/source.h"
#include "support/tagged.h"

namespace dt::recording {

class Reader {
 public:
  explicit Reader(ChunkReader::ReadSome read) : chunks_(std::move(read)), entries_("") {}

  // The program. An error when this is no recording, one of a later version, or damaged.
  Status begin(Program& program, Sources& sources);

  enum class Outcome : std::uint8_t {
    kEntry,
    kEnd,
    kCut,  // the recording ends without its last chunk
  };
  // What comes next; the entry is valid until the next call. Damage is an error: what came before
  // it is sound. A record is a kRecord, however it was written: its bytes, and as a number that
  // of its firing.
  Result<Outcome> next(support::Tagged& entry);
  // When what was given last was written, or a little later: ns since 1970.
  std::int64_t time_ns() const { return chunks_.header().last_ns; }
  // When the chunk of what was given last was begun.
  std::int64_t first_ns() const { return chunks_.header().first_ns; }
  // Whether something before the last chunk is missing, as -x recordsize has removed it.
  bool has_jumped() const { return chunks_.has_jumped(); }

 private:
  bool take_record(support::Tagged& entry);
  bool take_packed(support::Tagged& entry);

  ChunkReader chunks_;
  std::string raw_;
  support::TaggedReader entries_;
  std::string_view packed_;  // records of an entry that has several
  RecordUnpacker records_;
};

}  // namespace dt::recording
