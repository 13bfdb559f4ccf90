#pragma once
// Receiver: takes what the consumer decodes as values, beside the text that is printed.

#include <functional>
#include <string>

#include "consumer/structured/drops.h"
#include "consumer/structured/json_lines.h"
#include "consumer/value/value.h"
#include "record/layout.h"
#include "record/wire.h"

namespace dt::consumer {

class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual bool wants_records() const = 0;
  // What a clause recorded, before its actions act; `text` formats an action.
  virtual void record(const record::Header& header, const record::Layout& layout, Bytes bytes,
                      FieldText& fields, const RecordLine::Text& text) = 0;
  // Whether it wants each fault, and not only the messages: of those that come again at one
  // place, one says how many they are (repeated.h).
  virtual bool wants_faults() const = 0;
  // A fault or a failed action; `line` has its text.
  virtual void fault(const ErrorLine& line) = 0;
  // `text` is the message, with its tag when tags are wanted.
  virtual void drop(const Loss& loss, const std::string& text) = 0;
};

}  // namespace dt::consumer
