#include "machine/x86_64/disassembly.h"

#include <Zydis/Zydis.h>

#include <array>
#include <bit>

namespace dt::machine {
namespace {

// What Zydis calls for an address; the caller's function is the user data.
ZyanStatus print_address(const ZydisFormatter* formatter, ZydisFormatterBuffer* buffer,
                         ZydisFormatterContext* context);

class Formatter {
 public:
  Formatter() {
    ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_ATT);
    const auto set = [this](ZydisFormatterProperty what, ZyanUPointer value) {
      ZydisFormatterSetProperty(&formatter_, what, value);
    };
    set(ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    set(ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    set(ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    set(ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    by_default_ = std::bit_cast<const void*>(&print_address);
    ZydisFormatterSetHook(&formatter_, ZYDIS_FORMATTER_FUNC_PRINT_ADDRESS_ABS, &by_default_);
  }
  const ZydisFormatter& get() const { return formatter_; }
  // What prints an address as a number.
  ZydisFormatterFunc by_default() const { return std::bit_cast<ZydisFormatterFunc>(by_default_); }

 private:
  ZydisFormatter formatter_;
  const void* by_default_ = nullptr;
};

struct Named {
  const Formatter& formatter;
  const NameOfAddress& name;
};

ZyanStatus print_address(const ZydisFormatter* formatter, ZydisFormatterBuffer* buffer,
                         ZydisFormatterContext* context) {
  const Named& named = *static_cast<const Named*>(context->user_data);
  ZyanU64 address = 0;
  if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(context->instruction, context->operand,
                                             context->runtime_address, &address))) {
    return ZYAN_STATUS_FAILED;
  }
  const std::string text = named.name ? named.name(address) : std::string();
  if (text.empty()) return named.formatter.by_default()(formatter, buffer, context);
  ZydisFormatterBufferAppend(buffer, ZYDIS_TOKEN_SYMBOL);
  ZyanString* out = nullptr;
  ZyanStringView view;
  if (!ZYAN_SUCCESS(ZydisFormatterBufferGetString(buffer, &out)) ||
      !ZYAN_SUCCESS(ZyanStringViewInsideBufferEx(&view, text.data(), text.size()))) {
    return ZYAN_STATUS_FAILED;
  }
  return ZyanStringAppend(out, &view);
}

}  // namespace

std::string disassemble(std::span<const std::uint8_t> code, std::uint64_t address,
                        const NameOfAddress& name) {
  static const Formatter formatter;
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecodedInstruction instruction;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &instruction,
                                           operands.data()))) {
    return {};
  }
  std::array<char, 256> text = {};
  Named named = {formatter, name};
  if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter.get(), &instruction, operands.data(),
                                                    instruction.operand_count_visible, text.data(),
                                                    text.size(), address, &named))) {
    return {};
  }
  return text.data();
}

}  // namespace dt::machine
