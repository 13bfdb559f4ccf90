#pragma once
// Records: writes a clause's record, and the fields of records and keys.

#include "bpf/select/part.h"
#include "bpf/select/value.h"
#include "record/field.h"

namespace dt::bpf {

class FiringTag;
class ProbeNames;

class Records : SelectionPart {
 public:
  Records(const Core& core, FiringTag& tag, ProbeNames& probe_names);

  // Writes a value as the field of a record or of an aggregation's key: integers in the size of the
  // field, texts padded with zeros, the number of a probe for its names. Writes all bytes of the
  // field, because keys are compared as bytes.
  void put_field(const record::FieldType& type, Place dst, ir::ValueId value);
  // If the buffer has no room, the record is counted as a drop, and the clause goes on.
  void emit(const ir::Inst& inst);

 private:
  FiringTag& tag_;
  ProbeNames& probe_names_;
};

}  // namespace dt::bpf
