// See address_texts.h.

#include "bpf/select/address_texts.h"

#include <cstddef>

#include "bpf/routine/address_text.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "ir/address_text.h"

namespace dt::bpf {

void AddressTexts::address_text(const ir::Inst& inst) {
  const auto kind = static_cast<ir::AddressKind>(inst.imm);
  const Place words = storage_.frame_place(kAddressWordBytes, f_.position);
  for (std::size_t i = 0; i < inst.args.size(); ++i) {
    e_.store(8, words.base, words.offset + static_cast<std::int32_t>(i * 8),
             values_.reg(inst.args[i]));
  }
  const Place buffer = storage_.frame_place(kAddressTextRoom, f_.last_use(inst.result));
  bytes_.zero(buffer, kAddressTextRoom);
  if (kind == ir::AddressKind::kEther) {
    ether(words, buffer);
  } else {
    const bool is_inet = kind == ir::AddressKind::kInet;
    const auto routine = is_inet ? Routine::Kind::kInetText : Routine::Kind::kInet6Text;
    e_.call_subprogram(unit_.routine(routine), {f_.address(buffer), f_.address(words)});
  }
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

void AddressTexts::ether(Place words, Place buffer) {
  const std::uint32_t table = unit_.add_rodata(hexadecimal_bytes());
  for (std::int32_t i = 0; i < 6; ++i) {
    const Reg byte = e_.load(1, words.base, words.offset + i);
    e_.store(2, buffer.base, buffer.offset + i * 3, byte_entry(unit_, table, byte, 2));
    if (i < 5) e_.store_imm(1, buffer.base, buffer.offset + i * 3 + 2, ':');
  }
}

}  // namespace dt::bpf
