// See memory_bytes.h.

#include "stap/meaning/memory_bytes.h"

#include <string>
#include <utility>

#include "stap/meaning/functions.h"
#include "stap/syntax/clone.h"
#include "stap/syntax/format.h"

namespace dt::stap {
namespace {

ExprPtr number_expr(std::int64_t value, const Expr& where) {
  auto out = std::make_unique<Expr>();
  out->span = where.span;
  out->place = where.place;
  out->number = value;
  return out;
}

// Once: a tree may be looked at again.
void read(ExprPtr& address, ExprPtr count, bool is_userland) {
  if (address->kind == ExprKind::kCall && address->text.ends_with("_bytes")) return;
  auto call = std::make_unique<Expr>();
  call->kind = ExprKind::kCall;
  call->span = address->span;
  call->place = address->place;
  call->text = is_userland ? "__user_bytes" : "__kernel_bytes";
  call->kids.push_back(std::move(address));
  call->kids.push_back(std::move(count));
  address = std::move(call);
}

}  // namespace

BytePieces pieces_of(const AccessBytes& of) {
  BytePieces out;
  out.is_aligned = of.count == nullptr || of.count->kind != ExprKind::kNumber;
  const std::int64_t count = out.is_aligned ? kMostBytes + kByteWord : of.count->number;
  for (std::int64_t at = 0; at < count;) {
    std::int64_t size = kByteWord;
    while (size > count - at) size /= 2;
    out.list.push_back({at, static_cast<std::uint32_t>(size)});
    at += size;
  }
  return out;
}

void read_memory_of_format(Expr& call) {
  const Fn fn = static_cast<Fn>(call.builtin);
  if (fn != Fn::printf && fn != Fn::sprintf) return;
  if (call.kids.empty() || call.kids[0]->kind != ExprKind::kString) return;
  std::string wrong;
  std::size_t next = 1;
  for (const FormatPiece& piece : parse_format(call.kids[0]->text, wrong)) {
    if (piece.conversion == '\0') continue;
    next += piece.width_is_argument ? 1 : 0;
    const std::size_t precision = next;
    next += piece.precision_is_argument ? 1 : 0;
    if (next >= call.kids.size()) return;
    if (piece.takes_memory()) {
      ExprPtr count = piece.precision_is_argument ? clone(*call.kids[precision])
                                                  : number_expr(piece.precision.value_or(1), call);
      read(call.kids[next], std::move(count), piece.alternate);
    }
    ++next;
  }
}

}  // namespace dt::stap
