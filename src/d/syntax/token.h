#pragma once
// The tokens of D.
//
// A token refers to the text of its source and owns nothing, except when macros were expanded or
// escapes resolved: then the lexer keeps the new text.

#include <cstdint>
#include <string_view>

#include "support/source.h"

namespace dt::d {

enum class Tok : std::uint8_t {
  kEnd,        // of the input, or after too many errors
  kProbe,      // a probe description: text
  kPredOpen,   // the / before a predicate
  kPredClose,  // and the one after it
  kIdent,      // text
  kScoped,     // module`text
  kAgg,        // @text, text "_" for @ alone
  kInt,        // value and its suffixes; character constants
  kFloat,      // text as written
  kString,     // text, escapes resolved

  // Keywords.
  kAuto,
  kBool,
  kBreak,
  kCase,
  kChar,
  kConst,
  kContinue,
  kCounter,
  kDefault,
  kDo,
  kDouble,
  kElse,
  kEnum,
  kExtern,
  kFloatWord,
  kFor,
  kGoto,
  kIf,
  kImport,
  kInline,
  kIntWord,
  kLong,
  kOffsetof,
  kProbeWord,
  kProvider,
  kRegister,
  kRestrict,
  kReturn,
  kSelf,
  kShort,
  kSigned,
  kSizeof,
  kStatic,
  kStringWord,
  kStringof,
  kStruct,
  kSwitch,
  kThis,
  kTranslator,
  kTypedef,
  kUnion,
  kUnsigned,
  kUserland,
  kVoid,
  kVolatile,
  kWhile,
  kXlate,

  // Punctuation.
  kLParen,
  kRParen,
  kLBrace,
  kRBrace,
  kLBracket,
  kRBracket,
  kSemi,
  kComma,
  kColon,
  kQuestion,
  kDot,
  kArrow,
  kEllipsis,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kAmp,
  kPipe,
  kCaret,
  kTilde,
  kBang,
  kShl,
  kShr,
  kAndAnd,
  kOrOr,
  kXorXor,
  kEqEq,
  kNotEq,
  kLess,
  kLessEq,
  kGreater,
  kGreaterEq,
  kInc,
  kDec,
  kAssign,
  kAddAssign,
  kSubAssign,
  kMulAssign,
  kDivAssign,
  kModAssign,
  kShlAssign,
  kShrAssign,
  kAndAssign,
  kOrAssign,
  kXorAssign,
  kUnknown,  // a character that D does not use; reported
};

constexpr Tok kFirstKeyword = Tok::kAuto;
constexpr Tok kLastKeyword = Tok::kXlate;

// What __attribute__((...)) and #pragma pack in a header of C say about layout.
struct LayoutAttributes {
  bool packed = false;
  std::uint32_t aligned = 0;  // to so many bytes at least
  std::uint32_t most = 0;     // and at most, as #pragma pack says; 0: as usual

  void add(const LayoutAttributes& more) {
    packed = packed || more.packed;
    aligned = more.aligned > aligned ? more.aligned : aligned;
    most = more.most;
  }
};

struct Token {
  Tok kind = Tok::kEnd;
  Span span;
  // Into the source or into the lexer's store; valid while both live.
  std::string_view text;
  std::string_view module;  // kScoped
  std::uint64_t value = 0;  // kInt; two's complement
  bool is_unsigned = false;
  std::uint8_t longs = 0;
  bool is_char = false;
  bool negative = false;             // kInt from a macro: minus `value`
  bool in_header = false;            // in a file that -C included
  LayoutAttributes attributes = {};  // that stand before it

  bool is(Tok k) const { return kind == k; }
  bool is_keyword() const { return kind >= kFirstKeyword && kind <= kLastKeyword; }
};

// As it is written: "if", "->"; for kinds without a fixed text what they are:
// "identifier".
std::string_view token_text(Tok kind);
// A keyword of D that is a name in C.
bool is_name_in_c(Tok kind);
// The keyword spelt `word`, kIdent when there is none.
Tok keyword(std::string_view word);
// The keyword that a misspelled `word` most likely meant, "" when none is near.
std::string_view nearest_keyword(std::string_view word);

}  // namespace dt::d
