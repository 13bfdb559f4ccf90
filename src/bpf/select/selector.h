#pragma once
// Selector: writes one BPF function for one fused IR function.
//
// The main program of a unit and its fault subprogram (which runs ERROR's
// clauses) are each one Selector's work. It walks the blocks in order, which
// is the order of the clauses, and for every instruction emits code through
// the Emitter; registers are the allocator's concern.
//
// Where things are:
//
//   integers  in virtual registers, or constants that are made where used
//   strings   constants (not in memory until needed), a pair of words in
//             registers (execname), or an address: of rodata, of a variable,
//             or of a temporary
//   temporaries  small ones in one stack slot, others in the scratch frame;
//             places are reused as soon as the value's last user has passed
//
// What a firing may need but seldom does (the CPU's block, the scratch frame,
// the thread's storage, the thread's ids) is obtained at the first use in a
// clause and remembered for the blocks that it dominates. Cold code (faults,
// drops) is written at the end of its clause, away from the hot path.
//
// The methods are spread over select_*.cc by subject.

#include <linux/bpf.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/layout/agg_key.h"
#include "bpf/layout/frame.h"
#include "bpf/layout/memory.h"
#include "bpf/routine/routine.h"
#include "bpf/routine/unit.h"
#include "bpf/routine/user_memory.h"
#include "bpf/select/function_spec.h"
#include "enabling/plan.h"
#include "ir/fuse.h"
#include "ir/ir.h"
#include "record/drop.h"
#include "types/type.h"

namespace dt::bpf {

// Strings up to here are compared without a loop.
constexpr std::uint32_t kUnrolledWords = 32;

// Where bytes lie: base + offset. The offset fits an instruction's.
struct Place {
  Reg base = {};
  std::int32_t offset = 0;
  bool in_frame = false;  // of scratch, and nowhere else whatever way was taken
};

// A string of 16 bytes is held in two registers: names of threads, mostly.
constexpr std::uint32_t kNameBytes = 16;

struct Value {
  enum class Kind : std::uint8_t {
    kNone,
    kReg,          // integer in reg
    kConst,        // integer imm
    kWords,        // 16 bytes of string in reg and high
    kConstString,  // Program::strings[string]
    kMemory,       // at place; `avail` bytes may be read there
    kStored,       // integer, kept in 8 bytes at place
  };
  Kind kind = Kind::kNone;
  ir::Type type = {};
  Reg reg = {}, high = {};
  std::int64_t imm = 0;
  std::uint32_t string = 0;
  Place place = {};
  std::uint32_t avail = 0;  // multiple of 8; zero-padded for strings
  Reg length = {};          // of a string with its NUL, where it is known
};

struct PathCode;  // path_code.h

class Selector {
 public:
  Selector(Unit& unit, FunctionSpec spec, const ir::Fused& fused);
  // Emits the whole function; `leave` is bound at its end, where nothing is
  // held, and returns 0.
  void run(Label leave);

 private:
  using Todo = std::function<void()>;

  // prepare.cc
  void prepare();
  void find_definitions();
  void find_uses();
  std::uint32_t padding_of(const ir::Inst& inst, std::size_t operand) const;
  void fuse_comparisons();
  std::uint32_t longest_stack_key() const;
  void find_last_uses();
  void find_dominators();
  bool dominates(ir::BlockId a, ir::BlockId b) const;
  bool usable(ir::BlockId from) const;
  // The first usable one of `points`, which are in the order of their blocks;
  // nullptr when there is none. Only the entry's, at the front, and this
  // clause's, at the back, are looked at: there may be ten thousand clauses.
  template <typename Point, typename BlockOf>
  const Point* find_usable(const std::vector<Point>& points, const BlockOf& block_of) const {
    std::size_t front = 0;
    for (; front < points.size(); ++front) {
      const ir::BlockId block = block_of(points[front]);
      if (fused_.block_clause[block] != ir::kNone) break;
      if (usable(block)) return &points[front];
    }
    for (std::size_t back = points.size(); back-- > front;) {
      const ir::BlockId block = block_of(points[back]);
      if (fused_.block_clause[block] != fused_.block_clause[block_]) break;
      if (usable(block)) return &points[back];
    }
    return nullptr;
  }
  bool known_since(const std::vector<ir::BlockId>& points) const {
    return find_usable(points, [](ir::BlockId block) { return block; }) != nullptr;
  }

  // selector.cc: control flow.
  void hoist_shared();
  void select_block(ir::BlockId block);
  void select(const ir::Inst& inst);
  void constant(const ir::Inst& inst);
  void fault(const ir::Inst& inst);
  void select_end(ir::BlockId block);
  void guard(ir::BlockId block);
  void go(const ir::Target& target, ir::BlockId next_in_line);
  void pass(const ir::Target& target);
  void prepare_to_pass(const ir::Terminator& end);
  void flush_cold();
  void leave_function(Label leave);
  void enter_part(Label leave);
  void refuse(const std::string& why);

  // integer.cc
  void integer(const ir::Inst& inst);
  void divide(const ir::Inst& inst);
  void compare(const ir::Inst& inst);
  Reg is_equal(ir::ValueId a, ir::ValueId b);
  Reg is_less(ir::ValueId a, ir::ValueId b, bool is_signed);
  void branch_on(ir::ValueId condition, Label to, bool when);
  void compare_jump(const ir::Inst& inst, Label to, bool when);
  bool outlives_comparison(ir::ValueId id) const;
  Reg complement(Reg value);
  Reg unrelated_copy(ir::ValueId id);
  Reg reg(ir::ValueId id);
  Reg copy_of(ir::ValueId id);
  std::optional<std::int64_t> constant(ir::ValueId id) const;
  void define(const ir::Inst& inst, Reg reg);
  bool keep_in_frame(ir::ValueId id) const;
  void define_memory(const ir::Inst& inst, Place place, std::uint32_t avail);
  void extend(Reg reg, const ir::Type& type);
  void alu_value(Alu op, Reg dst, ir::ValueId id);

  // memory.cc
  Place at(Reg base, std::uint32_t offset);
  Place rodata(std::uint32_t offset);
  Place temporary(std::uint32_t bytes, std::uint32_t last_use);
  Place text_buffer(std::uint32_t size, std::uint32_t padded, std::uint32_t last_use);
  std::optional<Place> on_stack(std::uint32_t bytes, std::uint32_t last_use, std::uint32_t limit);
  void release_temporaries();
  Reg address(Place place);
  void zero(Place dst, std::uint32_t bytes);
  void copy_bytes(Place dst, Place src, std::uint32_t bytes);
  // Writes `size` bytes at dst: the string, truncated or padded with zeros.
  void put_string(Place dst, std::uint32_t size, const Value& value);
  void put_bytes(Place dst, std::uint32_t size, const Value& value);
  // The value in memory, with at least `avail` readable bytes.
  Place in_memory(const Value& value, std::uint32_t avail, std::uint32_t last_use);
  Place string_constant(std::uint32_t string, std::uint32_t avail);
  Reg word(const Value& value, std::uint32_t index);
  std::optional<std::uint64_t> constant_word(const Value& value, std::uint32_t index) const;
  void need_frame();
  Place stack_word();
  Place frame_place(std::uint32_t bytes, std::uint32_t last_use);
  Place frame_word(std::uint32_t last_use);
  std::uint32_t reserve_frame(std::uint32_t bytes);

  // process.cc
  void random(const ir::Inst& inst);
  void progeny_of(const ir::Inst& inst);
  void seen_number(const ir::Inst& inst);
  void execargs(const ir::Inst& inst);
  void blank_nuls(Reg text, Reg length, std::uint32_t bytes);

  // follow.cc
  struct Followed {
    std::optional<types::TypeId> structure;  // that it points to
    bool is_load = false;                    // a plain load of what follows
    ir::ValueId base = ir::kNone;
    std::int32_t offset = 0;
    bool is_pointer = false;  // to the verifier
    std::uint32_t loads = 0;  // plain ones, from what it points to
    Label ask = {};           // where the helper is asked instead
    Reg pointer = {};         // as the verifier knows it, or 0
  };
  std::pair<ir::ValueId, std::int64_t> base_of(ir::ValueId address) const;
  void find_followed();
  void find_plain_uses();
  bool is_followed_load(const ir::Inst& inst) const;
  bool is_followed_address(const ir::Inst& inst) const;
  void follow_curthread(const ir::Inst& inst);
  void follow_name(const ir::Inst& inst);
  void ask_instead(const ir::Inst& inst, Label ask, const std::function<void(Place)>& take);
  ir::ValueId only_load_from(const ir::Inst& inst) const;
  Label ask_label(Followed& load);
  void check_base(const Followed& load, Label ask);
  void follow(const ir::Inst& inst);

  // scratch.cc
  void prepare_scratch();
  Reg scratch_size(ir::ValueId id, Label too_large);
  Reg scratch_pointer(Reg offset);
  Reg scratch_place(ir::ValueId to, Reg size, Label bad);
  void alloca_scratch(const ir::Inst& inst);
  void copy_to_scratch(const ir::Inst& inst);
  void store_scratch(const ir::Inst& inst);
  void copy_out(const ir::Inst& inst);

  // address.cc
  struct AddressText {
    Reg buffer;
    Place length;      // of the text so far
    Place run, limit;  // of an IPv6 address: its zeros, and the groups to write
  };
  void address_text(const ir::Inst& inst);
  void address_inet(const AddressText& text, Place from);
  void address_inet6(const AddressText& text, Place from);
  void address_groups(const AddressText& text, Place from);
  void address_group(const AddressText& text, Reg group);
  void address_colon(const AddressText& text);
  void address_grow(const AddressText& text, Reg by);
  Reg address_end(const AddressText& text);
  Reg table_entry(std::uint32_t table, Reg index, std::uint32_t size);

  // path.cc
  void path(const ir::Inst& inst);
  void path_start(const ir::Inst& inst, const PathCode& walk);
  void path_special(const PathCode& walk, Label ordinary, Label done);

  // string.cc
  void string_literal(const ir::Inst& inst);
  void string_compare(const ir::Inst& inst);
  struct Comparison {
    std::uint32_t words = 0;
    bool ordered = false;       // less or greater matters, too
    bool complemented = false;  // see outlives_comparison()
  };
  void compare_words(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_long(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_wide(const ir::Inst& inst, Comparison how, Reg result);
  void order(Reg a, Reg b, Reg result);
  Reg read_foreign(const ForeignRead& read);
  void forget_waiting();
  void load_string(const ir::Inst& inst);
  void load_bytes(const ir::Inst& inst);
  void load_integer(const ir::Inst& inst);
  void probe_text(const ir::Inst& inst);
  void to_string(const ir::Inst& inst);
  void user_address(const ir::Inst& inst);
  void zero_tail(Place buffer, std::uint32_t size, Reg length);

  // call.cc
  void call(const ir::Inst& inst);
  struct StringOperand {
    Reg address;
    std::uint32_t capacity = 0;
  };
  StringOperand operand(ir::ValueId id);
  void call_integer(const ir::Inst& inst, Reg result);
  void string_index(const ir::Inst& inst);
  bool index_of_constant(const ir::Inst& inst);
  void string_join(const ir::Inst& inst);
  void string_tail(const ir::Inst& inst);
  void string_part(const ir::Inst& inst);
  void change_case(const ir::Inst& inst);
  void clean_path(const ir::Inst& inst);
  void number_to_text(const ir::Inst& inst);
  void json(const ir::Inst& inst);
  void span_part(const ir::Inst& inst);
  void take_steps(Routine routine, std::uint32_t steps, Reg first, Reg second, Reg state);

  // token.cc
  void prepare_tokens();
  void token(const ir::Inst& inst);
  Reg byte_set(ir::ValueId delimiters);
  void memory_string(const ir::Inst& inst);
  Place result_buffer(const ir::Inst& inst);
  void copy_part(Place to, std::uint32_t capacity, Reg from, Reg count, std::uint32_t most);

  // builtin.cc
  enum class Once : std::uint8_t {
    kCpu,
    kBlock,
    kPidTgid,
    kProcessNumber,
    kThreadNumber,
    kWalkedTask,
    kUidGid,
    kTask,
    kMm,
    kCommLow,
    kCommHigh,
    kEpid,
    kThreadId,
  };
  void builtin(const ir::Inst& inst);
  Reg once(Once what, const std::function<Reg()>& make);
  Reg cpu();
  Reg percpu_block();
  Reg pid_tgid();
  bool is_in_first_namespace() const { return unit_.memory.machine.number.space == 0; }
  Reg number_of(Reg at, NumberOf what);
  Reg tgid();
  Reg tid();
  Reg task();
  Reg task_address();
  Reg user_ids();
  void refuse_at_other_thread(const ir::Inst& inst);
  Reg walked_task();
  Reg mm();
  Reg now();
  Reg argument(std::uint32_t number);
  Reg error_number();
  Reg kernel_register(std::uint32_t number);
  Reg load_control(std::uint32_t size, std::uint32_t offset);
  Reg user_registers();
  void execname(const ir::Inst& inst);
  void truncate_at_nul(Reg low, Reg high);
  void keep_to_nul(Reg word, Label none);
  void vtimestamp(const ir::Inst& inst);
  Reg epid();
  Reg epid_of(const enabling::ClauseBinding& binding);
  Reg checked_slot();
  Reg by_slot(const std::vector<std::uint32_t>& values);
  void probe_id(const ir::Inst& inst);
  void probe_name(const ir::Inst& inst);
  void provider_of_process(const ir::Inst& inst);
  Reg provider_number();

  // stack.cc
  void stack(const ir::Inst& inst);
  Reg stack_flags(bool user);
  Place frames_buffer(std::uint32_t bytes, std::uint32_t last_use, bool user);
  Reg frames_to(Place frames, std::uint32_t bytes, bool user, bool with_sources = false);
  void unwind_sources(Place frames, std::uint32_t bytes, Place state, Reg cache, Reg status);
  Reg one_frame(bool user, std::uint32_t which);
  Reg depth(bool user);
  Reg stack_number(Place frames, std::uint32_t bytes, Reg generation);

  // variable.cc, array.cc
  void variable(const ir::Inst& inst);
  void load_scalar(const ir::Inst& inst, const ir::Variable& variable);
  void store_scalar(const ir::Inst& inst, const ir::Variable& variable);
  void load_from(const ir::Inst& inst, Place place);
  Reg as_type(ir::ValueId id, const ir::Type& type);
  void store_to(Place place, const ir::Type& type, ir::ValueId value);
  void add_to(Place place, const ir::Type& type, ir::ValueId delta);
  void load_local(const ir::Inst& inst);
  void store_local(const ir::Inst& inst, const ir::Variable& variable);
  void load_thread(const ir::Inst& inst);
  void store_thread(const ir::Inst& inst, const ir::Variable& variable);
  void need_tls(bool create);
  Reg thread_identity();
  std::uint32_t shared_offset(std::uint32_t variable) const;
  void prepare_locals();
  Place array_key_of(const ir::Inst& inst, std::size_t key_count);
  Reg lookup(MapRef map, Place key);
  // What a new element has, in rodata, and whether nothing is to be added to that.
  struct First {
    std::uint32_t at = 0;
    bool is_all = false;
  };
  Reg found_or_added(MapRef map, Place key, First first, record::Drop lost, Label skip);
  void load_element(const ir::Inst& inst, const ir::Variable& variable);
  void store_element(const ir::Inst& inst, const ir::Variable& variable);
  void add_element(const ir::Inst& inst, const ir::Variable& variable);
  bool is_zero_constant(ir::ValueId id) const;
  Place value_buffer(const ir::Type& type, ir::ValueId value);

  // part.cc
  void part(const ir::Inst& inst);
  void part_of_variable(const ir::Inst& inst);
  void load_part(const ir::Inst& inst, const ir::Variable& variable);
  void store_part(const ir::Inst& inst, const ir::Variable& variable);
  void clear(const ir::Inst& inst, const ir::Variable& variable);
  Place part_place(const ir::Inst& inst, Place whole, const ir::Type& part, const ir::Type& of,
                   std::optional<ir::ValueId> offset);
  void load_exactly(const ir::Inst& inst, Place place);
  void put_part(Place place, const ir::Type& type, ir::ValueId value);
  void need_local(const ir::Inst& inst, const ir::Type& type);

  // aggregate.cc
  void aggregate(const ir::Inst& inst);
  Place aggregate_key(const ir::Inst& inst, const record::AggLayout& agg, const AggKey& layout);
  void put_stack(const record::FieldType& type, Place dst, ir::ValueId id, Reg generation);
  void update(const record::AggLayout& agg, Place words, const ir::Inst& inst, Label skip);
  std::uint32_t one();
  void add_word(Place words, std::uint32_t index, ir::ValueId value);
  void raise(Place words, ir::ValueId value, std::uint64_t bias, Label skip);
  void add_wide(Place words, ir::ValueId id);
  void add_square(Place words, ir::ValueId value);
  void add_to_bucket(Place words, Reg bucket, std::uint32_t buckets, const ir::Inst& inst,
                     std::size_t increment, Label skip);
  void add_log2(Reg to, Reg value);
  Reg quantize(ir::ValueId value);
  Reg lquantize(const record::AggParams& params, ir::ValueId value);
  Reg llquantize(const record::AggParams& params, ir::ValueId value);

  // record.cc
  void put_field(const record::FieldType& type, Place dst, ir::ValueId value);
  void put_gap(Place base, std::uint32_t from, std::uint32_t to);
  Place key_slot(std::uint32_t bytes);
  void emit(const ir::Inst& inst);
  Reg firing_number();
  void signal(const ir::Inst& inst);
  void chill(const ir::Inst& inst);
  void exit(const ir::Inst& inst);

  // speculation.cc
  void begin_speculation(const ir::Inst& inst);
  void end_speculation(const ir::Inst& inst);
  Label fault(const ir::Inst& inst, record::Fault code, Reg where);
  void drop(record::Drop what);
  Label drop_and_go(record::Drop what, Label then);

  const Value& value(ir::ValueId id) const { return values_[id]; }
  const ir::Type& type_of(ir::ValueId id) const { return types_[id]; }
  std::uint32_t last_use(ir::ValueId id) const { return last_use_[id]; }
  const enabling::ClauseBinding& binding() const;

  Unit& unit_;
  Emitter& e_;
  FunctionSpec spec_;
  const ir::Fused& fused_;
  const ir::Function& fn_;

  std::vector<Value> values_;
  std::vector<ir::Type> types_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> last_use_;  // position
  std::vector<const ir::Inst*> def_;
  std::vector<ir::BlockId> def_block_;
  bool is_branchy_ = false;             // has more branches than a verifier takes lightly
  std::vector<bool> fused_compare_;     // emitted with the branch that uses it
  std::vector<bool> equality_only_;     // a kStrCmp of which only == 0 is asked
  std::vector<bool> text_only_;         // bytes of which only a longer string is made
  std::vector<std::uint32_t> padding_;  // bytes of a string that are looked at behind its NUL, too
  std::vector<bool> may_alias_;         // a kLoad of a string that needs no copy
  std::map<ir::ValueId, Followed> followed_;
  std::vector<bool> used_plainly_;  // by value; empty when nothing is followed
  std::vector<ir::BlockId> idom_;
  std::vector<Label> labels_;
  std::uint32_t position_ = 0;
  ir::BlockId block_ = 0;
  Label exit_label_;

  std::map<std::pair<Once, std::uint32_t>, std::vector<std::pair<ir::BlockId, Reg>>> once_;
  std::vector<Todo> cold_;

  struct Temporary {
    std::uint32_t offset = 0, bytes = 0, last_use = 0;
    bool on_stack = false;
  };
  std::vector<Temporary> temporaries_;
  std::uint32_t tokens_at_ = ir::kNone;  // strtok's state in the frame
  StackSlot stack_region_, key_region_, word_;
  std::uint32_t stack_used_ = 8;                // of stack_region_
  std::uint32_t key_frame_offset_ = ir::kNone;  // the key buffer in the frame
  std::uint32_t key_frame_bytes_ = 0;
  Reg frame_;
  std::uint32_t scratch_at_ = ir::kNone;  // scratch memory in the frame
  std::vector<ir::BlockId> frame_points_;
  Reg time_;  // when the clock was first read in this firing, 0 before that
  std::vector<ir::BlockId> time_points_;
  Reg tls_;
  std::vector<ir::BlockId> tls_points_;
  Reg number_;  // of the firing, as bits of a record's tag; 0 until it is given one

  struct Local {  // a clause-local variable in memory
    Reg reg;      // its value, or the address of the string
    std::uint32_t frame_offset = ir::kNone;
    bool is_shared = false;                // of several parts: at frame_offset, and nowhere else
    std::vector<ir::BlockId> points = {};  // where it is known to be in the frame
  };
  std::map<std::uint32_t, Local> locals_;

  // The key that lies in the key buffer, to be used again for the next
  // aggregation of the block with the same keys.
  struct BuiltKey {
    ir::BlockId block = ir::kNone;
    std::vector<ir::ValueId> values;
    std::vector<record::Field> fields;
    bool drained = false;
  };
  BuiltKey built_key_;
};

}  // namespace dt::bpf
