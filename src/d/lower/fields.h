#pragma once
// What actions record: values in the form in which they are printed.

#include <cstdint>
#include <optional>

#include "d/lower/part.h"
#include "record/field.h"

namespace dt::record {
struct Action;
}

namespace dt::d::lowering {

class KernelStructures;
class Objects;
class ScratchMemory;
class Segment;

class Fields : Part {
 public:
  Fields(Context& context, Segment& segment, KernelStructures& kernel, ScratchMemory& scratch,
         Objects& objects)
      : Part(context), segment_(segment), kernel_(kernel), scratch_(scratch), objects_(objects) {}

  // An argument of printf(); `conversion` is what shows it, 0 for none.
  void argument(const Expr* e, char conversion);
  // What trace() records.
  void traced(const Expr* e);
  // A stack, an address or a number that the consumer resolves.
  void resolved(const Expr* e);
  void print(const Expr* e, record::Action& out);
  // `size` bytes at the address that an expression gives; of user memory when it says so or is a
  // copyin() of so many. memref() gives what it refers to.
  void memory(const Expr* memory, std::uint32_t size, const Expr* action);
  // pcap(skb, type): what is in the packet's own memory, pcapsize bytes of it at most; and how long
  // the whole packet is.
  void packet(const Expr* e);
  void printf(const Expr* e, record::Action& out);
  void row(const Expr* e, record::Action& out);

 private:
  // The part of the probe's name that a variable gives: recorded as its id.
  std::optional<record::FieldKind> probe_part(const Expr* e) const;

  Segment& segment_;
  KernelStructures& kernel_;
  ScratchMemory& scratch_;
  Objects& objects_;
};

}  // namespace dt::d::lowering
