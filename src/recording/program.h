#pragma once
// The program of a recording: the schema of its records, its texts and options, as entries. With
// them its bytes can be decoded by a dtrace that has never seen the script.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/schema.h"
#include "recording/format.h"
#include "support/result.h"
#include "support/source.h"
#include "support/tagged.h"

namespace dt::recording {

struct Head {
  std::uint64_t needs = kOfShapes;
  std::string host, kernel;
  std::uint32_t cpus = 0;
  std::int64_t start_ns = 0;  // since 1970
  std::string title;          // what was traced
  // The language whose handlers have run at home: what they did is recorded, and no records. "" for
  // programs without such handlers.
  std::string language;
};

struct Program {
  Head head;
  std::vector<std::pair<std::string, std::string>> options;
  record::Schema schema;
};

using Put = std::function<void(Entry, std::string_view)>;

void put_program(const Program& program, const Sources& sources, const Put& put);

// Entries up to kBegin.
class ProgramReader {
 public:
  // True behind the last one, when the program is whole and sound: the consumer can be given what
  // refers to it. Sources are added to `sources`.
  Result<bool> take(const support::Tagged& entry, Program& program, Sources& sources);

 private:
  bool has_head_ = false;
};

// What is wrong with a schema of another user; "" if nothing is.
std::string find_schema_flaw(const record::Schema& schema, const Sources& sources);

}  // namespace dt::recording
