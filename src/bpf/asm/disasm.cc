// BPF instructions as text, in the syntax of the kernel's verifier log, so that
// what it says about a program can be looked up here.

#include <fmt/core.h>

#include <iterator>

#include "bpf/asm/insn.h"
#include "bpf/asm/object.h"

namespace dt::bpf {

const char* helper_name(std::int32_t number) {
  switch (number) {
#define DT_HELPER(n, name) \
  case n:                  \
    return #name;
#include "bpf/asm/helpers.def"
#undef DT_HELPER
    default:
      return nullptr;
  }
}

namespace {

std::string illegal(const bpf_insn& insn) { return fmt::format("illegal {:#04x}", insn.code); }

const char* size_name(const bpf_insn& insn) {
  switch (access_bytes(insn)) {
    case 1:
      return "8";
    case 2:
      return "16";
    case 4:
      return "32";
    default:
      return "64";
  }
}

std::string address_text(const bpf_insn& insn, unsigned base, char sign = 'u') {
  return fmt::format("*({}{} *)(r{} {:+})", sign, size_name(insn), base, insn.off);
}

std::string alu(const bpf_insn& insn) {
  static constexpr const char* kOps[] = {
      "+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "", "%=", "^=", "=", "s>>=", ""};
  const bool is_wide_alu = (insn.code & kClassMask) == BPF_ALU64;
  const char* r = is_wide_alu ? "r" : "w";
  const unsigned dst = insn.dst_reg, src = insn.src_reg;
  const std::uint32_t op = insn.code & kOpMask;
  if (op == BPF_NEG) return fmt::format("{0}{1} = -{0}{1}", r, dst);
  if (op == BPF_END) {
    const char* kind = is_wide_alu ? "bswap" : (insn.code & BPF_X) != 0 ? "be" : "le";
    return fmt::format("r{0} = {1}{2} r{0}", dst, kind, insn.imm);
  }
  if (op > BPF_END) return illegal(insn);
  const std::string text = kOps[op >> 4];
  const bool is_signed = insn.off == 1 && (op == BPF_DIV || op == BPF_MOD);
  if ((insn.code & BPF_X) == 0) {
    return fmt::format("{}{} {}{} {}", r, dst, is_signed ? "s" : "", text, insn.imm);
  }
  if (op == BPF_MOV && insn.off != 0)
    return fmt::format("{0}{1} = (s{2}){0}{3}", r, dst, insn.off, src);
  return fmt::format("{0}{1} {2}{3} {0}{4}", r, dst, is_signed ? "s" : "", text, src);
}

std::string atomic(const bpf_insn& insn) {
  const char* bits = access_bytes(insn) == 8 ? "64" : "";
  const unsigned dst = insn.dst_reg, src = insn.src_reg;
  const std::string where = fmt::format("(u{} *)(r{} {:+})", size_name(insn), dst, insn.off);
  if (insn.imm == BPF_CMPXCHG)
    return fmt::format("r0 = atomic{}_cmpxchg({}, r0, r{})", bits, where, src);
  if (insn.imm == BPF_XCHG)
    return fmt::format("r{0} = atomic{1}_xchg({2}, r{0})", src, bits, where);
  const char* op = nullptr;
  const char* name = nullptr;
  switch (insn.imm & ~BPF_FETCH) {
    case BPF_ADD:
      op = "+=", name = "add";
      break;
    case BPF_OR:
      op = "|=", name = "or";
      break;
    case BPF_AND:
      op = "&=", name = "and";
      break;
    case BPF_XOR:
      op = "^=", name = "xor";
      break;
    default:
      return illegal(insn);
  }
  if ((insn.imm & BPF_FETCH) != 0) {
    return fmt::format("r{0} = atomic{1}_fetch_{2}({3}, r{0})", src, bits, name, where);
  }
  return fmt::format("lock *{} {} r{}", where, op, src);
}

std::string call_text(const bpf_insn& insn) {
  if (insn.src_reg == BPF_PSEUDO_CALL) return fmt::format("call pc{:+}", insn.imm);
  if (insn.src_reg == BPF_PSEUDO_KFUNC_CALL)
    return fmt::format("call kernel-function#{}", insn.imm);
  const char* name = helper_name(insn.imm);
  return name == nullptr ? fmt::format("call unknown#{}", insn.imm)
                         : fmt::format("call bpf_{}#{}", name, insn.imm);
}

std::string jump(const bpf_insn& insn) {
  static constexpr const char* kConds[] = {"",    "==", ">", ">=", "&",  "!=", "s>",
                                           "s>=", "",   "",  "<",  "<=", "s<", "s<="};
  const bool is_narrow = (insn.code & kClassMask) == BPF_JMP32;
  const std::uint32_t op = insn.code & kOpMask;
  if (op == BPF_CALL) return call_text(insn);
  if (op == BPF_EXIT) return "exit";
  if (op == BPF_JA && is_narrow) return fmt::format("gotol pc{:+}", insn.imm);
  if (op == BPF_JA) return fmt::format("goto pc{:+}", insn.off);
  if (op > BPF_JSLE) return illegal(insn);
  const char* r = is_narrow ? "w" : "r";
  const unsigned dst = insn.dst_reg, src = insn.src_reg;
  const std::string right = (insn.code & BPF_X) != 0
                                ? fmt::format("{}{}", r, src)
                                : fmt::format("{:#x}", static_cast<std::uint32_t>(insn.imm));
  return fmt::format("if {}{} {} {} goto pc{:+}", r, dst, kConds[op >> 4], right, insn.off);
}

std::string wide(const bpf_insn& insn, const bpf_insn* next) {
  const unsigned dst = insn.dst_reg;
  const std::uint32_t low = static_cast<std::uint32_t>(insn.imm);
  const std::uint32_t high = next == nullptr ? 0 : static_cast<std::uint32_t>(next->imm);
  if (insn.src_reg == BPF_PSEUDO_MAP_FD) return fmt::format("r{} = map[fd:{}]", dst, insn.imm);
  if (insn.src_reg == BPF_PSEUDO_MAP_VALUE) {
    return fmt::format("r{} = map[fd:{}][0]+{}", dst, insn.imm, high);
  }
  return fmt::format("r{} = {:#x}", dst, std::uint64_t{high} << 32 | low);
}

std::string map_text(const MapRef& map) {
  const bool is_one_of_many = map.kind == MapKind::kAgg || map.kind == MapKind::kStacks ||
                              map.kind == MapKind::kAssoc || map.kind == MapKind::kUnwind ||
                              map.kind == MapKind::kKept;
  return is_one_of_many ? fmt::format("{}{}", map_name(map.kind), map.index) : map_name(map.kind);
}

// "; script.d:3: @a[pid] = count();" when the source line is not `shown` yet.
void show_line(const Sources& sources, Span span, std::string& shown, std::string& out) {
  if (span == Span{} || span.source >= sources.size()) return;
  const Source& source = sources.at(span.source);
  const support::Location where = sources.locate(span);
  std::string_view text = source.line_text(source.physical(span.begin).line);
  const std::size_t indent = text.find_first_not_of(" \t");
  text.remove_prefix(indent == text.npos ? text.size() : indent);
  std::string line = fmt::format("; {}:{}: {}\n", where.file, where.line, text);
  if (line == shown) return;
  out += line;
  shown = std::move(line);
}

}  // namespace

std::string disassemble(const bpf_insn& insn, const bpf_insn* next) {
  const unsigned dst = insn.dst_reg, src = insn.src_reg;
  const std::uint8_t mode = insn.code & kModeMask;
  switch (insn.code & kClassMask) {
    case BPF_ALU:
    case BPF_ALU64:
      return alu(insn);
    case BPF_JMP:
    case BPF_JMP32:
      return jump(insn);
    case BPF_LD:
      return is_wide(insn) ? wide(insn, next) : illegal(insn);
    case BPF_LDX:
      if (mode != BPF_MEM && mode != kModeMemSx) return illegal(insn);
      return fmt::format("r{} = {}", dst, address_text(insn, src, mode == BPF_MEM ? 'u' : 's'));
    case BPF_STX:
      if (mode == BPF_ATOMIC) return atomic(insn);
      return mode == BPF_MEM ? fmt::format("{} = r{}", address_text(insn, dst), src)
                             : illegal(insn);
    default:
      return mode == BPF_MEM ? fmt::format("{} = {}", address_text(insn, dst), insn.imm)
                             : illegal(insn);
  }
}

std::string disassemble(const Object& object, const Sources& sources) {
  std::string out = fmt::format("; program {}: {} instructions, {} bytes of stack\n",
                                object.program.empty() ? "-" : object.program, object.insns.size(),
                                object.stack_bytes);
  std::string shown;
  std::size_t line = 0, relocation = 0;
  for (std::uint32_t i = 0; i < object.insns.size(); ++i) {
    for (; line < object.lines.size() && object.lines[line].insn <= i; ++line) {
      show_line(sources, object.lines[line].span, shown, out);
    }
    const bpf_insn& insn = object.insns[i];
    const bpf_insn* next = i + 1 < object.insns.size() ? &object.insns[i + 1] : nullptr;
    std::string text = disassemble(insn, next);
    if (relocation < object.relocations.size() && object.relocations[relocation].insn == i) {
      const Relocation& r = object.relocations[relocation++];
      text = fmt::format("r{} = map {}", static_cast<unsigned>(insn.dst_reg), map_text(r.map));
      if (r.is_value) text += fmt::format(" value +{}", r.offset);
    }
    fmt::format_to(std::back_inserter(out), "{:5}: ({:02x}) {}\n", i, insn.code, text);
    if (is_wide(insn)) ++i;
  }
  return out;
}

}  // namespace dt::bpf
