// See aggregations.h.

#include "bpf/select/aggregations.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "bpf/asm/lir.h"
#include "bpf/layout/control.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/maps.h"
#include "bpf/select/records.h"
#include "bpf/select/stacks.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/drop.h"

namespace dt::bpf {

namespace {

constexpr int kRaiseTries = 4;
constexpr std::uint32_t kLogTableBytes = 512;

}  // namespace

Aggregations::Aggregations(const Core& core, Maps& maps, Stacks& stacks, Records& records)
    : SelectionPart(core),
      maps_(maps),
      stacks_(stacks),
      records_(records),
      joined_(unit_.memory.joined) {}

// Elements are never removed by programs, and an element of the map stays where it is, so the
// update of its words needs no lock: atomic additions are enough, although an interrupt on this CPU
// may add to the same element in between.
void Aggregations::aggregate(const ir::Inst& inst) {
  const record::AggLayout& agg = unit_.program.aggregations[inst.index];
  const Label skip = e_.label();
  if (agg.key_bytes == 0) {
    const Place place = storage_.at(block_of(inst.index), unit_.memory.agg_offset[inst.index]);
    update(agg, place, inst, skip);
    const Place presence =
        storage_.at(place.base, static_cast<std::uint32_t>(place.offset) + agg.value_words * 8);
    e_.store_imm(8, presence.base, presence.offset, 1);
  } else {
    const AggKey layout = agg_key(agg);
    const Place key = aggregate_key(inst, agg, layout);
    // Without its stack the key is none.
    for (std::size_t i = 0; layout.has_numbers && i < agg.keys.size(); ++i) {
      const record::FieldType& type = agg.keys[i].type;
      if (frames_in_table(type) == 0) continue;
      const Reg number =
          e_.load(8, key.base,
                  key.offset + static_cast<std::int32_t>(layout.offsets[i] + before_frames(type)));
      e_.jump_if_imm(Cond::kEq, number, 0, failures_.drop_and_go(record::Drop::kAggregation, skip));
    }
    const Maps::First first = agg.func == record::AggFunc::kCount
                                  ? Maps::First{one(), true}
                                  : Maps::First{unit_.zeros(agg.value_words * 8)};
    const std::uint32_t map = unit_.memory.agg_map(inst.index);
    if (inst.op == ir::Op::kAccumulate) {
      add_if_there(inst, agg, {MapKind::kAgg, map}, key, skip);
      return;
    }
    const Reg element =
        maps_.found_or_added({MapKind::kAgg, map}, key, first, record::Drop::kAggregation, skip,
                             [this, index = inst.index] { failures_.added(index); });
    update(agg, {element, 0}, inst, skip);
  }
  e_.bind(skip);
}

// Reads the generation at the entry if several blocks add to joined aggregations: that of an `if`
// does not dominate the one behind it, in which the generation would be read again.
void Aggregations::begin() {
  if (!joined_.any() || unit_.waits) return;
  const auto adds = [this](const ir::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), [this](const ir::Inst& inst) {
      return inst.op == ir::Op::kAggregate && joined_[inst.index];
    });
  };
  if (std::count_if(f_.fn.blocks.begin(), f_.fn.blocks.end(), adds) > 1) generation(true);
}

// While a program waits for memory the generation may end, so where it can wait, each read is a new
// one.
Reg Aggregations::generation(bool drained) {
  const auto load = [&] {
    return facts_.load_control(4, offsetof(Control, generation) + (drained ? 4 : 0));
  };
  if (!drained || !joined_.any() || unit_.waits) return load();
  using Known = std::pair<ir::BlockId, Reg>;
  const auto block_of = [](const Known& each) { return each.first; };
  if (const Known* at = f_.find_usable(generations_, block_of)) return at->second;
  generations_.emplace_back(f_.block, load());
  return generations_.back().second;
}

// The block of this CPU; of an aggregation with a value for each generation, moved on to that of
// the current one.
Reg Aggregations::block_of(std::uint32_t index) {
  const Reg block = facts_.percpu_block();
  const std::uint32_t distance = joined_.distance(index);
  if (distance == 0) return block;
  const Reg offset = e_.held_copy(generation(true));
  e_.alu_imm(Alu::kAnd, offset, 1);
  e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(distance));
  const Reg moved = e_.reg();
  e_.mov(moved, block);
  e_.alu(Alu::kAdd, moved, offset);
  return moved;
}

void Aggregations::add_if_there(const ir::Inst& inst, const record::AggLayout& agg, MapRef map,
                                Place key, Label skip) {
  const Reg element = maps_.lookup(map, key);
  const Reg is_there = e_.imm(0);
  e_.jump_if_imm(Cond::kEq, element, 0, skip);
  e_.mov_imm(is_there, 1);
  update(agg, {element, 0}, inst, skip);
  e_.bind(skip);
  values_.define(inst, is_there);
}

std::uint32_t Aggregations::one() {
  if (unit_.one == ir::kNone) unit_.one = unit_.add_rodata({1, 0, 0, 0, 0, 0, 0, 0});
  return unit_.one;
}

// The place of the key. Aggregations in a row often share keys: in `@a[k] = ...; @b[k] = ...`, the
// key that is on the stack already serves again, if nothing of it has changed.
Place Aggregations::aggregate_key(const ir::Inst& inst, const record::AggLayout& agg,
                                  const AggKey& layout) {
  const std::vector<ir::ValueId> keys(
      inst.args.begin(), inst.args.begin() + static_cast<std::ptrdiff_t>(agg.keys.size()));
  const bool again = keys_.built().block == f_.block && keys_.built().values == keys &&
                     keys_.built().drained == agg.drained &&
                     record::same_fields(keys_.built().fields, agg.keys);
  const Place key = keys_.key_slot(layout.bytes);
  const bool is_shared = !unit_.memory.shared_aggs.empty();
  if (is_shared) {
    const auto number = static_cast<std::int32_t>(unit_.memory.agg_number(inst.index));
    e_.store_imm(2, key.base, key.offset + 6, number);
  }
  if (again) return key;
  // The generation is read once for the key. If the consumer flips it meanwhile, this firing still
  // counts for the old one, for which the consumer waits.
  const Reg generation = this->generation(agg.drained);
  e_.store(4, key.base, key.offset, generation);
  e_.store(is_shared ? 2 : 4, key.base, key.offset + 4, facts_.cpu());
  const auto start = static_cast<std::uint32_t>(key.offset);
  std::uint32_t end = kAggKeyPrefix;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const record::FieldType& type = agg.keys[i].type;
    const Place field = storage_.at(key.base, start + layout.offsets[i]);
    const bool has_number = frames_in_table(type) != 0;
    // Bytes between the fields are part of the key to the kernel: without zeros there, equal keys
    // would be different ones.
    bytes_.put_gap(key, end, layout.offsets[i]);
    if (has_number) {
      put_stack(type, field, keys[i], generation, agg.drained);
    } else {
      records_.put_field(type, field, keys[i]);
    }
    end = layout.offsets[i] + (has_number ? before_frames(type) + 8 : type.size);
  }
  bytes_.put_gap(key, end, layout.bytes);
  keys_.is_built({f_.block, keys, agg.keys, agg.drained});
  return key;
}

// What stands before the frames, and their number.
void Aggregations::put_stack(const record::FieldType& type, Place dst, ir::ValueId id,
                             Reg generation, bool drained) {
  const std::uint32_t before = before_frames(type);
  const Place stack = bytes_.in_memory(values_.value(id), type.size, f_.position);
  if (before != 0) bytes_.copy_bytes(dst, stack, before);
  const Place frames = storage_.at(stack.base, static_cast<std::uint32_t>(stack.offset) + before);
  const Reg number = stacks_.stack_number(frames, frames_in_table(type), generation, drained);
  e_.store(8, dst.base, dst.offset + static_cast<std::int32_t>(before), number);
}

void Aggregations::update(const record::AggLayout& agg, Place words, const ir::Inst& inst,
                          Label skip) {
  using record::AggFunc;
  const std::size_t at_value = agg.keys.size();
  const auto value_id = [&] { return inst.args[at_value]; };
  switch (agg.func) {
    case AggFunc::kCount:
      return add_word(words, 0, ir::kNone);
    case AggFunc::kSum:
      return add_word(words, 0, value_id());
    case AggFunc::kAvg:
      add_word(words, 0, ir::kNone);
      return add_wide(words, value_id());
    case AggFunc::kMin:
    case AggFunc::kMax:
      return raise(words, value_id(), record::extreme_bias(agg.func), skip);
    case AggFunc::kStddev:
      add_word(words, 0, ir::kNone);
      add_wide(words, value_id());
      return add_square(words, value_id());
    case AggFunc::kQuantize:
      return add_to_bucket(words, quantize(value_id()), agg.value_words, inst, at_value + 1, skip);
    case AggFunc::kLquantize:
      return add_to_bucket(words, lquantize(agg.params, value_id()), agg.value_words, inst,
                           at_value + 1, skip);
    case AggFunc::kLlquantize:
      return add_to_bucket(words, llquantize(agg.params, value_id()), agg.value_words, inst,
                           at_value + 1, skip);
  }
}

// word += value, or 1.
void Aggregations::add_word(Place words, std::uint32_t index, ir::ValueId id) {
  const Reg delta = id == ir::kNone ? e_.imm(1) : values_.reg(id);
  e_.atomic(Atomic::kAdd, 8, words.base, words.offset + static_cast<std::int32_t>(index * 8),
            delta);
}

// Raises the word to the biased value. Only this CPU's interrupts compete for
// it, so a few tries are enough; when they are not, the loss is counted.
void Aggregations::raise(Place words, ir::ValueId id, std::uint64_t bias, Label skip) {
  const Reg raised = values_.copy_of(id);
  e_.alu(Alu::kXor, raised, e_.imm(static_cast<std::int64_t>(bias)));
  const Label done = e_.label(), lost = failures_.drop_and_go(record::Drop::kAggregation, skip);
  const Reg current = e_.load(8, words.base, words.offset);
  const Reg seen = e_.reg();
  for (int i = 0; i < kRaiseTries; ++i) {
    e_.jump_if(Cond::kLe, raised, current, done);
    e_.mov(seen, current);
    e_.atomic(Atomic::kCmpxchg, 8, words.base, words.offset, raised, seen);
    e_.jump_if(Cond::kEq, seen, current, done);
    e_.mov(current, seen);
  }
  e_.jump(lost);
  e_.bind(done);
}

// Words 1 and 2, a 128-bit number, += the value. The low word carries exactly
// when it wraps, whatever comes in between; a negative value takes 1 from the
// high word, which a carry mostly gives back.
void Aggregations::add_wide(Place words, ir::ValueId id) {
  const Reg value = values_.reg(id);
  const Reg high = values_.copy_of(id), sum = values_.copy_of(id);
  const Label no_carry = e_.label(), done = e_.label();
  e_.alu_imm(Alu::kArsh, high, 63);
  e_.atomic(Atomic::kFetchAdd, 8, words.base, words.offset + 8, sum);
  e_.alu(Alu::kAdd, sum, value);
  e_.jump_if(Cond::kGe, sum, value, no_carry);
  e_.alu_imm(Alu::kAdd, high, 1);
  e_.bind(no_carry);
  e_.jump_if_imm(Cond::kEq, high, 0, done);
  e_.atomic(Atomic::kAdd, 8, words.base, words.offset + 16, high);
  e_.bind(done);
}

// The 128-bit square of the value is added to words 3 and 4. Each addition to
// the low word carries exactly when it wraps, whatever comes in between.
void Aggregations::add_square(Place words, ir::ValueId id) {
  const Reg low = e_.reg(), high = values_.copy_of(id), sign = e_.reg(), middle = e_.reg();
  e_.mov(sign, high);
  e_.alu_imm(Alu::kArsh, sign, 63);
  e_.alu(Alu::kXor, high, sign);
  e_.alu(Alu::kSub, high, sign);
  e_.mov32(low, high);  // |value| = high * 2^32 + low
  e_.alu_imm(Alu::kRsh, high, 32);
  e_.mov(middle, low);
  e_.alu(Alu::kMul, middle, high);
  e_.alu_imm(Alu::kLsh, middle, 1);  // 2 * high * low fits: high is at most 2^31
  e_.alu(Alu::kMul, low, low);
  e_.alu(Alu::kMul, high, high);
  const Reg part = e_.reg();
  const Label no_carry = e_.label(), no_wrap = e_.label(), done = e_.label();
  e_.mov(part, middle);
  e_.alu_imm(Alu::kRsh, part, 32);
  e_.alu(Alu::kAdd, high, part);
  e_.alu_imm(Alu::kLsh, middle, 32);
  e_.alu(Alu::kAdd, low, middle);
  e_.jump_if(Cond::kGe, low, middle, no_carry);
  e_.alu_imm(Alu::kAdd, high, 1);
  e_.bind(no_carry);
  const Reg sum = e_.reg();
  e_.mov(sum, low);
  e_.atomic(Atomic::kFetchAdd, 8, words.base, words.offset + 24, sum);
  e_.alu(Alu::kAdd, sum, low);
  e_.jump_if(Cond::kGe, sum, low, no_wrap);
  e_.alu_imm(Alu::kAdd, high, 1);
  e_.bind(no_wrap);
  e_.jump_if_imm(Cond::kEq, high, 0, done);
  e_.atomic(Atomic::kAdd, 8, words.base, words.offset + 32, high);
  e_.bind(done);
}

// bucket word += increment, or 1.
void Aggregations::add_to_bucket(Place words, Reg bucket, std::uint32_t buckets,
                                 const ir::Inst& inst, std::size_t increment, Label skip) {
  const Reg offset = e_.held_copy(bucket);
  e_.jump_if_imm(Cond::kGe, offset, static_cast<std::int32_t>(buckets), skip);
  e_.alu_imm(Alu::kLsh, offset, 3);
  const Reg base = e_.reg();
  e_.mov(base, words.base);
  e_.alu(Alu::kAdd, base, offset);
  const Reg delta = increment < inst.args.size() ? values_.reg(inst.args[increment]) : e_.imm(1);
  e_.atomic(Atomic::kAdd, 8, base, words.offset, delta);
}

// ---- Buckets -----------------------------------------------------------------------

// to += floor(log2(v)) for v > 0, which is destroyed. Three halvings bring any
// v below 512, where a table goes on.
void Aggregations::add_log2(Reg to, Reg v) {
  if (unit_.log_table == ir::kNone) {
    std::vector<std::uint8_t> table(kLogTableBytes, 0);
    for (std::uint32_t i = 1; i < kLogTableBytes; ++i) {
      table[i] = static_cast<std::uint8_t>(std::bit_width(i) - 1);
    }
    unit_.log_table = unit_.add_rodata(table);
  }
  const struct { std::int32_t above, shift; } steps[] = {{0x7fffffff, 31}, {0xffff, 16}, {0xff, 8}};
  for (const auto& step : steps) {
    const Label small = e_.label();
    e_.jump_if_imm(Cond::kLe, v, step.above, small);
    e_.alu_imm(Alu::kRsh, v, step.shift);
    e_.alu_imm(Alu::kAdd, to, step.shift);
    e_.bind(small);
  }
  // It is so already; a verifier that has lost sight of v on the way sees it here.
  e_.alu_imm(Alu::kAnd, v, kLogTableBytes - 1);
  const Reg entry = f_.rodata(unit_.log_table).base;
  e_.alu(Alu::kAdd, entry, v);
  e_.alu(Alu::kAdd, to, e_.load(1, entry, 0));
}

Reg Aggregations::quantize(ir::ValueId id) {
  constexpr auto kZero = static_cast<std::int32_t>(record::kQuantizeZero);
  // The complement tells the same without teaching the verifier about the value.
  const Reg v = values_.complement(values_.reg(id));
  const Reg bucket = e_.imm(kZero);
  const Label done = e_.label(), negative = e_.label();
  e_.jump_if_imm(Cond::kEq, v, -1, done);
  e_.jump_if_imm(Cond::kSge, v, 0, negative);
  e_.alu_imm(Alu::kXor, v, -1);
  e_.mov_imm(bucket, kZero + 1);
  add_log2(bucket, v);
  e_.bind(done);
  f_.cold.push_back([=, this] {
    e_.bind(negative);
    const Label in_range = e_.label();
    const Reg log = e_.imm(0);
    e_.alu_imm(Alu::kAdd, v, 1);  // -value
    add_log2(log, v);
    // INT64_MIN shares the lowest bucket.
    e_.jump_if_imm(Cond::kLe, log, kZero - 1, in_range);
    e_.mov_imm(log, kZero - 1);
    e_.bind(in_range);
    e_.mov_imm(bucket, kZero - 1);
    e_.alu(Alu::kSub, bucket, log);
    e_.jump(done);
  });
  return bucket;
}

Reg Aggregations::lquantize(const record::AggParams& params, ir::ValueId id) {
  const std::uint32_t levels = record::lquantize_levels(params);
  const Reg v = values_.unrelated_copy(id);
  const Reg bucket = e_.imm(0);
  const Label done = e_.label(), inside = e_.label();
  const auto imm_or_reg = [&](std::int64_t imm, auto with_imm, auto with_reg) {
    if (fits_s32(imm))
      with_imm(static_cast<std::int32_t>(imm));
    else
      with_reg(e_.imm(imm));
  };
  imm_or_reg(
      params.base, [&](std::int32_t imm) { e_.jump_if_imm(Cond::kSlt, v, imm, done); },
      [&](Reg r) { e_.jump_if(Cond::kSlt, v, r, done); });
  e_.alu(Alu::kSub, v, e_.imm(params.base));
  if (params.step > 1) {
    imm_or_reg(
        params.step, [&](std::int32_t imm) { e_.alu_imm(Alu::kDiv, v, imm); },
        [&](Reg r) { e_.alu(Alu::kDiv, v, r); });
  }
  e_.mov_imm(bucket, static_cast<std::int64_t>(levels) + 1);
  e_.jump_if(Cond::kGe, v, e_.imm(levels), done);
  e_.bind(inside);
  e_.mov(bucket, v);
  e_.alu_imm(Alu::kAdd, bucket, 1);
  e_.bind(done);
  return bucket;
}

// How many boundaries are at most the value, by a search tree in rodata of
// nodes {u64 boundary, u32 below, u32 above}: the place of the next node comes
// from memory, so to the verifier both ways look alike and do not multiply. As
// it knows what is in rodata, the way from the root is found by arithmetic.
Reg Aggregations::llquantize(const record::AggParams& params, ir::ValueId id) {
  const std::vector<std::uint64_t> boundaries = record::llquantize_boundaries(params);
  std::uint32_t depth = 1;
  while ((1u << depth) - 1 < boundaries.size()) ++depth;
  const std::uint32_t nodes = 1u << depth;
  std::vector<std::uint8_t> tree(std::size_t{nodes} * 16, 0);
  const auto put = [&](std::size_t where, std::uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) tree[where++] = static_cast<std::uint8_t>(bits >> (8 * i));
  };
  // Node n of level l holds boundary (2 * (n - 2^l) + 1) * 2^(depth - l - 1) - 1.
  for (std::uint32_t n = 1; n < nodes; ++n) {
    const auto level = static_cast<std::uint32_t>(std::bit_width(n)) - 1;
    const std::uint32_t rank = (2 * (n - (1u << level)) + 1) * (1u << (depth - level - 1)) - 1;
    const bool is_leaf = level + 1 == depth;
    const std::uint64_t boundary = rank < boundaries.size() ? boundaries[rank] : ~std::uint64_t{0};
    put(std::size_t{n} * 16, boundary, 8);
    put(std::size_t{n} * 16 + 8, is_leaf ? rank : 2 * n * 16, 4);
    put(std::size_t{n} * 16 + 12, is_leaf ? rank + 1 : (2 * n + 1) * 16, 4);
  }
  const std::uint32_t offset = unit_.add_rodata(tree);
  const Reg v = values_.unrelated_copy(id);
  const Reg next = e_.imm(0);
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kSlt, v, 0, done);
  const bool is_small = depth == 1;
  const std::uint64_t root = boundaries[is_small ? 0 : (std::size_t{1} << (depth - 1)) - 1];
  const Reg is_below = e_.imm(1);
  if (root >> 63 == 0) {  // the sign of value - boundary, neither of them negative
    e_.mov(is_below, v);
    e_.alu(Alu::kSub, is_below, e_.imm(static_cast<std::int64_t>(root)));
    e_.alu_imm(Alu::kRsh, is_below, 63);
  }
  if (!is_small) e_.alu_imm(Alu::kLsh, is_below, 4);
  e_.mov_imm(next, is_small ? 1 : 3 * 16);
  e_.alu(Alu::kSub, next, is_below);
  for (std::uint32_t level = 1; level < depth; ++level) {
    e_.alu_imm(Alu::kAnd, next, static_cast<std::int32_t>((nodes - 1) * 16));
    const Label below = e_.label();
    const Reg node = f_.rodata(offset).base;
    e_.alu(Alu::kAdd, node, next);
    e_.load_to(next, 4, node, 8);
    e_.jump_if(Cond::kLt, v, e_.load(8, node, 0), below);
    e_.load_to(next, 4, node, 12);
    e_.bind(below);
  }
  e_.bind(done);
  return next;
}

}  // namespace dt::bpf
