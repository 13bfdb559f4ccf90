/*
 * dtrace/probes.h: probes that a program makes while it runs. For compilers at run
 * time and for languages that have no compiler: libdtrace-probes, plain C.
 *
 *     dtrace_provider* server;
 *     const dtrace_site* start;
 *     dtrace_provider_create("server", 0, &server);
 *     dtrace_provider_probe(server, "request-start", NULL, "int, const char *", &start);
 *     dtrace_provider_load(server);
 *     ...
 *     DTRACE_SITE_FIRE(start, id, (uintptr_t)path);
 *     ...
 *     dtrace_provider_free(server);
 *
 * To whoever traces, they are like those of dtrace/sdt.h: server<pid>:::request-start.
 *
 * Functions give 0, or an error of errno.h and have then changed nothing. Every
 * function may be called by several threads, and dtrace_site_fire() in a handler of
 * signals. Texts are copied. x86-64; elsewhere all is ENOSYS.
 */
#ifndef DTRACE_PROBES_H
#define DTRACE_PROBES_H

#include <stddef.h>
#include <stdint.h>

#include "dtrace/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dtrace_provider dtrace_provider;

/*
 * A place where a probe fires. `lookers` is how many look: what a compiler at run
 * time may test itself, at its address, which stays. Sites are never taken away:
 * one whose provider is freed has no lookers and does not fire.
 */
typedef struct dtrace_site {
  volatile uint16_t lookers;
  uint8_t arguments;
  uint8_t is_loaded;
  uint32_t reserved[3];
} dtrace_site;

#define DTRACE_PROVIDER_MAX_PROBES 16384u
#define DTRACE_PROVIDER_MAX_ARGUMENTS 10u

/*
 * Keep nothing on disk. Otherwise processes with the same probes share a file in
 * /tmp/dtrace-probes-UID, and who traces "server*" sees those that start later, too.
 * For probes whose names are others in each run.
 */
#define DTRACE_PROVIDER_PRIVATE 1u

/*
 * `name`: letters, digits and _, no digit at its end, at most 63.
 * EINVAL, ENAMETOOLONG, ENOMEM.
 */
DTRACE_API int dtrace_provider_create(const char* name, unsigned flags, dtrace_provider** provider);

/*
 * Adds a probe, which fires once it is loaded. `name`: "request-start", or with __
 * for the dash, at most 127. `function` is what to show as the function that holds it;
 * NULL or "" for the name. `types`: those of its arguments as C has them, separated by
 * commas, "" or NULL for none: the types of whole numbers of C and of stdint.h,
 * size_t and its like, and pointers to anything. Ten at most.
 * `*site` becomes the site, or, with an error, one that never fires.
 * EINVAL, EEXIST (function and name), ENAMETOOLONG, E2BIG (too many), ENOMEM.
 */
DTRACE_API int dtrace_provider_probe(dtrace_provider* provider, const char* name,
                                     const char* function, const char* types,
                                     const dtrace_site** site);

/*
 * From here on those added since the last time can be seen, and fire. Cheap per probe
 * when many are loaded at once. EINVAL, ENOMEM, or what the system says of memory and files.
 */
DTRACE_API int dtrace_provider_load(dtrace_provider* provider);

/*
 * Takes all of its probes away, traced or not. EINVAL for what is none, or has been
 * freed; EBUSY when a thread stays in one of its probes: then it may be called again.
 */
DTRACE_API int dtrace_provider_free(dtrace_provider* provider);

/* Whether somebody looks; 0 for NULL. DTRACE_SITE_ENABLED() is the same in place. */
DTRACE_API int dtrace_site_enabled(const dtrace_site* site);
#define DTRACE_SITE_ENABLED(site) __builtin_expect((site)->lookers != 0, 0)

/*
 * Fires, when somebody looks. As many values as the probe has types, each converted to
 * 64 bits: numbers by their sign, pointers by (uintptr_t).
 * EINVAL for another count; ENXIO when it is not loaded, or freed.
 */
DTRACE_API int dtrace_site_fire(const dtrace_site* site, size_t count, const uint64_t* values);

#ifdef __cplusplus
}
#endif

/*
 * DTRACE_SITE_FIRE(site, value, ...), with one value at least; values are evaluated when
 * somebody looks.
 */
#ifdef __cplusplus
#if __cplusplus >= 201103L
template <typename... T>
inline void dtrace_site_fire_all(const dtrace_site* site, T... values) {
  const uint64_t all[] = {uint64_t(values)...};
  (void)dtrace_site_fire(site, sizeof...(T), all);
}
#define DTRACE_SITE_FIRE(site, ...)                                         \
  do {                                                                      \
    if (DTRACE_SITE_ENABLED(site)) dtrace_site_fire_all(site, __VA_ARGS__); \
  } while (0)
#endif
#else
#define DTRACE_SITE_FIRE(site, ...)                                                              \
  do {                                                                                           \
    if (DTRACE_SITE_ENABLED(site)) {                                                             \
      const uint64_t dtrace_values[] = {__VA_ARGS__};                                            \
      (void)dtrace_site_fire(site, sizeof dtrace_values / sizeof *dtrace_values, dtrace_values); \
    }                                                                                            \
  } while (0)
#endif

#endif
