/*
 * dtrace/sdt.h: probes in programs of C and C++.
 *
 *     DTRACE_PROBE2(server, request__start, request->id, request->path);
 *
 * is the probe server<pid>:::request-start with two arguments. It consists of a
 * no-op in the code and a note in the file (.note.stapsdt) with the address of the
 * no-op and the locations of the arguments; dtrace, bpftrace, perf and gdb read it.
 * The arguments are evaluated even when the probe is not enabled. dtrace -h generates
 * macros with the names and types of a provider's probes and a test of whether a probe
 * is enabled; its output contains the parts of this file that it needs.
 *
 * This header replaces sys/sdt.h: it has the same macros, and a program includes one
 * of both. With _SDT_HAS_SEMAPHORES defined, each probe refers to a counter of its own,
 * `unsigned short provider_name_semaphore` in the section .probes, which is not 0 while
 * the probe is enabled.
 */
#ifndef _DTRACE_SDT_H
#define _DTRACE_SDT_H

/* From here to "the end of the core" dtrace -h copies what is below. */
#ifndef DTRACE_SDT_VERSION
#define DTRACE_SDT_VERSION 1
#if defined(__GNUC__) && defined(__ELF__) && !defined(DTRACE_SDT_OFF)
#define DTRACE_SDT_ON 1

/*
 * The place is the one-byte no-op: kernels emulate a breakpoint on it. The long
 * one behind it is room for a call, which kernels that replace breakpoints by
 * calls need; before, it costs nothing.
 */
#ifdef __x86_64__
#define DTRACE_SDT_NOP ".byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
#else
#define DTRACE_SDT_NOP "nop\n"
#endif
#if __SIZEOF_POINTER__ == 8
#define DTRACE_SDT_ADDRESS ".8byte "
#else
#define DTRACE_SDT_ADDRESS ".4byte "
#endif
/* To the compiler it is as short as it is, and does not keep a function from being inlined. */
#if defined(__clang__) || __GNUC__ >= 9
#define DTRACE_SDT_ASM __asm__ __volatile__ __inline__
#else
#define DTRACE_SDT_ASM __asm__ __volatile__
#endif

/*
 * A note has three words - the site, an anchor that tells how far the file was
 * moved, the counter - and three texts. "?" puts it with the function that the
 * site is in, so that they are dropped together.
 */
#define DTRACE_SDT_SITE(provider, name, counter, arguments)               \
  "77701: " DTRACE_SDT_NOP ".ifndef _.stapsdt.base\n"                     \
  ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
  ".weak _.stapsdt.base\n"                                                \
  ".hidden _.stapsdt.base\n"                                              \
  ".size _.stapsdt.base, 1\n"                                             \
  "_.stapsdt.base: .byte 0\n"                                             \
  ".popsection\n"                                                         \
  ".endif\n"                                                              \
  ".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
  ".balign 4\n"                                                           \
  ".4byte 8, 77703f - 77702f, 3\n"                                        \
  ".asciz \"stapsdt\"\n"                                                  \
  "77702: " DTRACE_SDT_ADDRESS "77701b, _.stapsdt.base, " counter "\n"    \
  ".asciz \"" provider "\", \"" name "\", \"" arguments "\"\n"            \
  "77703: .balign 4\n"                                                    \
  ".popsection\n"

/*
 * What types a provider's program declares for the arguments of a probe: once in
 * a file, for dtrace alone. `types` are texts: those of the arguments, an empty
 * one, the translated ones with the number of the argument before each, an empty one;
 * then, if the provider states its stability, one text each for the stability of the
 * provider, modules, functions, names and arguments, and an empty one.
 */
#define DTRACE_SDT_TYPES(key, provider, name, types)                  \
  __asm__(".pushsection .note.dtrace,\"G\",\"note\"," key ",comdat\n" \
          ".balign 4\n"                                               \
          ".4byte 7, 77705f - 77704f, 1\n"                            \
          ".asciz \"dtrace\"\n"                                       \
          ".balign 4\n"                                               \
          "77704: .asciz \"" provider "\", \"" name "\", " types "\n" \
          "77705: .balign 4\n"                                        \
          ".popsection\n")
/*
 * The counter of those who look. dtrace -G defines it; this one is for programs
 * that are linked without.
 */
#define DTRACE_SDT_COUNTED(counter)       \
  extern volatile unsigned short counter; \
  volatile unsigned short counter         \
      __attribute__((__weak__, __visibility__("hidden"), __section__(".probes"), __used__))
#define DTRACE_SDT_ENABLED(counter) __builtin_expect(counter != 0, 0)

/*
 * An argument is a value: an array is its address. Its size is negative when it is signed.
 * AS converts to a type of numbers that a provider declares.
 */
#ifdef __cplusplus
extern "C++" {
template <typename T, bool = __is_enum(T)>
struct dtrace_sdt_type {
  enum { is_signed = 0 };
};
#define DTRACE_SDT_TYPE(T)                                       \
  template <>                                                    \
  struct dtrace_sdt_type<T, false> {                             \
    enum { is_signed = static_cast<T>(-1) < static_cast<T>(0) }; \
  }
__extension__ typedef long long dtrace_sdt_long_long;
DTRACE_SDT_TYPE(char);
DTRACE_SDT_TYPE(wchar_t);
DTRACE_SDT_TYPE(signed char);
DTRACE_SDT_TYPE(short);
DTRACE_SDT_TYPE(int);
DTRACE_SDT_TYPE(long);
DTRACE_SDT_TYPE(dtrace_sdt_long_long);
#undef DTRACE_SDT_TYPE
template <typename T>
struct dtrace_sdt_type<T, true> : dtrace_sdt_type<__underlying_type(T), false> {};
/* Declared for its size: 1, or 2 of what is signed. */
template <typename T>
char (&dtrace_sdt_sign(T))[1 + dtrace_sdt_type<T>::is_signed];
template <typename T>
__attribute__((__always_inline__)) inline T dtrace_sdt_value(T value) {
  return value;
}
}
#define DTRACE_SDT_AS(T, x) static_cast<T>(x)
#define DTRACE_SDT_INT(x) int(x)
#define DTRACE_SDT_VALUE(x) dtrace_sdt_value(x)
#define DTRACE_SDT_SIGNED(x) (sizeof(dtrace_sdt_sign(x)) == 2)
#else
#define DTRACE_SDT_AS(T, x) ((T)(x))
#define DTRACE_SDT_INT(x) (int)(x)
#define DTRACE_SDT_VALUE(x) ((void)0, (x))
#define DTRACE_SDT_IS(x, T) __builtin_types_compatible_p(__typeof__(x), T)
/* What becomes an int and is none of the small ones without a sign: an enumeration may be. */
#define DTRACE_SDT_SIGNED(x)                                                                \
  __extension__((DTRACE_SDT_IS(1 ? (x) : (x), int) || DTRACE_SDT_IS(1 ? (x) : (x), long) || \
                 DTRACE_SDT_IS(1 ? (x) : (x), long long)) &&                                \
                !DTRACE_SDT_IS(DTRACE_SDT_VALUE(x), unsigned char) &&                       \
                !DTRACE_SDT_IS(DTRACE_SDT_VALUE(x), unsigned short) &&                      \
                !DTRACE_SDT_IS(DTRACE_SDT_VALUE(x), _Bool) &&                               \
                !((char)-1 > 0 && DTRACE_SDT_IS(DTRACE_SDT_VALUE(x), char)))
#endif
#define DTRACE_SDT_SIZE(x) \
  ((DTRACE_SDT_SIGNED(x) ? -1 : 1) * DTRACE_SDT_INT(sizeof(__typeof__(DTRACE_SDT_VALUE(x)))))

/*
 * An argument as two operands, which the text of the note names. Registers are
 * read faster than memory, and a variable's name may be stripped off the file;
 * where there are few registers, or many arguments, memory will do.
 */
#ifdef __i386__
#define DTRACE_SDT_ARG(n, x) [s##n] "n"(DTRACE_SDT_SIZE(x)), [a##n] "nor"(DTRACE_SDT_VALUE(x))
#else
#define DTRACE_SDT_ARG(n, x) [s##n] "n"(DTRACE_SDT_SIZE(x)), [a##n] "nr"(DTRACE_SDT_VALUE(x))
#endif
#define DTRACE_SDT_MORE(n, x) [s##n] "n"(DTRACE_SDT_SIZE(x)), [a##n] "nor"(DTRACE_SDT_VALUE(x))
#define DTRACE_SDT_ARGS1(a) DTRACE_SDT_ARG(1, a)
#define DTRACE_SDT_ARGS2(a, b) DTRACE_SDT_ARGS1(a), DTRACE_SDT_ARG(2, b)
#define DTRACE_SDT_ARGS3(a, b, c) DTRACE_SDT_ARGS2(a, b), DTRACE_SDT_ARG(3, c)
#define DTRACE_SDT_ARGS4(a, b, c, d) DTRACE_SDT_ARGS3(a, b, c), DTRACE_SDT_ARG(4, d)
#define DTRACE_SDT_ARGS5(a, b, c, d, e) DTRACE_SDT_ARGS4(a, b, c, d), DTRACE_SDT_ARG(5, e)
#define DTRACE_SDT_ARGS6(a, b, c, d, e, f) DTRACE_SDT_ARGS5(a, b, c, d, e), DTRACE_SDT_ARG(6, f)
#define DTRACE_SDT_ARGS7(a, b, c, d, e, f, g) \
  DTRACE_SDT_ARGS6(a, b, c, d, e, f), DTRACE_SDT_ARG(7, g)
#define DTRACE_SDT_ARGS8(a, b, c, d, e, f, g, h) \
  DTRACE_SDT_ARGS7(a, b, c, d, e, f, g), DTRACE_SDT_ARG(8, h)
#define DTRACE_SDT_ARGS9(a, b, c, d, e, f, g, h, i) \
  DTRACE_SDT_ARGS8(a, b, c, d, e, f, g, h), DTRACE_SDT_MORE(9, i)
#define DTRACE_SDT_ARGS10(a, b, c, d, e, f, g, h, i, j) \
  DTRACE_SDT_ARGS9(a, b, c, d, e, f, g, h, i), DTRACE_SDT_MORE(10, j)
#define DTRACE_SDT_ARGS11(a, b, c, d, e, f, g, h, i, j, k) \
  DTRACE_SDT_ARGS10(a, b, c, d, e, f, g, h, i, j), DTRACE_SDT_MORE(11, k)
#define DTRACE_SDT_ARGS12(a, b, c, d, e, f, g, h, i, j, k, l) \
  DTRACE_SDT_ARGS11(a, b, c, d, e, f, g, h, i, j, k), DTRACE_SDT_MORE(12, l)
#define DTRACE_SDT_TEXT1 "%c[s1]@%[a1]"
#define DTRACE_SDT_TEXT2 DTRACE_SDT_TEXT1 " %c[s2]@%[a2]"
#define DTRACE_SDT_TEXT3 DTRACE_SDT_TEXT2 " %c[s3]@%[a3]"
#define DTRACE_SDT_TEXT4 DTRACE_SDT_TEXT3 " %c[s4]@%[a4]"
#define DTRACE_SDT_TEXT5 DTRACE_SDT_TEXT4 " %c[s5]@%[a5]"
#define DTRACE_SDT_TEXT6 DTRACE_SDT_TEXT5 " %c[s6]@%[a6]"
#define DTRACE_SDT_TEXT7 DTRACE_SDT_TEXT6 " %c[s7]@%[a7]"
#define DTRACE_SDT_TEXT8 DTRACE_SDT_TEXT7 " %c[s8]@%[a8]"
#define DTRACE_SDT_TEXT9 DTRACE_SDT_TEXT8 " %c[s9]@%[a9]"
#define DTRACE_SDT_TEXT10 DTRACE_SDT_TEXT9 " %c[s10]@%[a10]"
#define DTRACE_SDT_TEXT11 DTRACE_SDT_TEXT10 " %c[s11]@%[a11]"
#define DTRACE_SDT_TEXT12 DTRACE_SDT_TEXT11 " %c[s12]@%[a12]"

/*
 * The site; `counter` is the counter's name as a text, or "0". Whoever looks reads
 * what arguments point to, so it has to be in memory by then.
 */
#define DTRACE_SDT_PROBE(provider, name, counter, n, arguments)                 \
  do {                                                                          \
    DTRACE_SDT_ASM(DTRACE_SDT_SITE(provider, name, counter, DTRACE_SDT_TEXT##n) \
                   :                                                            \
                   : DTRACE_SDT_ARGS##n arguments                               \
                   : "memory");                                                 \
  } while (0)
#define DTRACE_SDT_PROBE0(provider, name, counter)                \
  do {                                                            \
    DTRACE_SDT_ASM(DTRACE_SDT_SITE(provider, name, counter, "")); \
  } while (0)
#endif
#endif
/* The end of the core. */

/* The macros of sys/sdt.h, which then has nothing to add. */
#if defined(DTRACE_SDT_ON) && !defined(_SYS_SDT_H)
#define _SYS_SDT_H 1
#ifdef _SDT_HAS_SEMAPHORES
#define DTRACE_SDT_COUNTER(provider, name) #provider "_" #name "_semaphore"
#else
#define DTRACE_SDT_COUNTER(provider, name) "0"
#endif
#define DTRACE_SDT_NAMED(provider, name, n, arguments) \
  DTRACE_SDT_PROBE(#provider, #name, DTRACE_SDT_COUNTER(provider, name), n, arguments)
#define DTRACE_PROBE(provider, name) \
  DTRACE_SDT_PROBE0(#provider, #name, DTRACE_SDT_COUNTER(provider, name))
#define DTRACE_PROBE1(provider, name, a) DTRACE_SDT_NAMED(provider, name, 1, (a))
#define DTRACE_PROBE2(provider, name, a, b) DTRACE_SDT_NAMED(provider, name, 2, (a, b))
#define DTRACE_PROBE3(provider, name, a, b, c) DTRACE_SDT_NAMED(provider, name, 3, (a, b, c))
#define DTRACE_PROBE4(provider, name, a, b, c, d) DTRACE_SDT_NAMED(provider, name, 4, (a, b, c, d))
#define DTRACE_PROBE5(provider, name, a, b, c, d, e) \
  DTRACE_SDT_NAMED(provider, name, 5, (a, b, c, d, e))
#define DTRACE_PROBE6(provider, name, a, b, c, d, e, f) \
  DTRACE_SDT_NAMED(provider, name, 6, (a, b, c, d, e, f))
#define DTRACE_PROBE7(provider, name, a, b, c, d, e, f, g) \
  DTRACE_SDT_NAMED(provider, name, 7, (a, b, c, d, e, f, g))
#define DTRACE_PROBE8(provider, name, a, b, c, d, e, f, g, h) \
  DTRACE_SDT_NAMED(provider, name, 8, (a, b, c, d, e, f, g, h))
#define DTRACE_PROBE9(provider, name, a, b, c, d, e, f, g, h, i) \
  DTRACE_SDT_NAMED(provider, name, 9, (a, b, c, d, e, f, g, h, i))
#define DTRACE_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j) \
  DTRACE_SDT_NAMED(provider, name, 10, (a, b, c, d, e, f, g, h, i, j))
#define DTRACE_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k) \
  DTRACE_SDT_NAMED(provider, name, 11, (a, b, c, d, e, f, g, h, i, j, k))
#define DTRACE_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l) \
  DTRACE_SDT_NAMED(provider, name, 12, (a, b, c, d, e, f, g, h, i, j, k, l))
#define STAP_PROBE DTRACE_PROBE
#define STAP_PROBE1 DTRACE_PROBE1
#define STAP_PROBE2 DTRACE_PROBE2
#define STAP_PROBE3 DTRACE_PROBE3
#define STAP_PROBE4 DTRACE_PROBE4
#define STAP_PROBE5 DTRACE_PROBE5
#define STAP_PROBE6 DTRACE_PROBE6
#define STAP_PROBE7 DTRACE_PROBE7
#define STAP_PROBE8 DTRACE_PROBE8
#define STAP_PROBE9 DTRACE_PROBE9
#define STAP_PROBE10 DTRACE_PROBE10
#define STAP_PROBE11 DTRACE_PROBE11
#define STAP_PROBE12 DTRACE_PROBE12
#endif
#endif
