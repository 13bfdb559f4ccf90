#pragma once
// Storage: memory of the function: the stack, as far as the budget goes, and the scratch frame.
//
// Temporaries are places that are used again as soon as the last user of their value has passed.
// The frame is taken where it is first needed, and released at the end of the function; a part of
// a program (parts.h) finds it taken.

#include <cstdint>
#include <optional>
#include <vector>

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
class Facts;
class Failures;
struct FunctionContext;
struct Unit;

class Storage {
 public:
  Storage(FunctionContext& f, Facts& facts, Failures& failures);

  Place at(Reg base, std::uint32_t offset);
  Place stack_word();
  void release_temporaries();
  // `bytes` of writable memory until the position `last_use` has passed.
  Place temporary(std::uint32_t bytes, std::uint32_t last_use);
  // As temporary(), for a string that is only read up to `padded`, and never by
  // way of an address that the verifier does not know.
  Place text_buffer(std::uint32_t size, std::uint32_t padded, std::uint32_t last_use);
  Place frame_place(std::uint32_t bytes, std::uint32_t last_use);
  // For an integer. Its base is the frame itself, at any distance: it is read and written on paths
  // that do not all come through here.
  Place frame_word(std::uint32_t last_use);
  // Room in the frame until the end of the function, behind its busy flag or what
  // the firing keeps there.
  std::uint32_t reserve_frame(std::uint32_t bytes);
  // Takes one of this CPU's scratch frames.
  void need_frame();
  // Releases what is held and returns.
  void leave_function(Label leave);
  // Takes what the function needs from its start on.
  void begin(Label leave);
  Reg frame() const { return frame_; }
  StackSlot word() const { return word_; }
  StackSlot key_region() const { return key_region_; }
  // The region of the frame; jumps to `none` where the verifier sees none.
  Reg region(Label none);
  std::uint32_t tokens_at() const { return tokens_at_; }

 private:
  struct Temporary {
    std::uint32_t offset = 0, bytes = 0, last_use = 0;
    bool on_stack = false;
  };
  std::optional<Place> on_stack(std::uint32_t bytes, std::uint32_t last_use, std::uint32_t limit);
  void prepare_region();
  void prepare_tokens();
  void enter_part(Label leave);
  std::uint32_t longest_stack_key() const;

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Facts& facts_;
  Failures& failures_;
  std::vector<Temporary> temporaries_;
  std::uint32_t tokens_at_ = ir::kNone;  // strtok's state in the frame
  std::uint32_t index_at_ = ir::kNone;   // the frame's number in it, where its region is used
  StackSlot stack_region_, key_region_, word_;
  std::uint32_t stack_used_ = 8;  // of stack_region_
  Reg frame_;
  std::vector<ir::BlockId> frame_points_;
};

}  // namespace dt::bpf
