/*
 * dtrace/probes.h: probes that a program creates at run time, for just-in-time
 * compilers and for interpreted languages. The library is libdtrace-probes, in C.
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
 * They are traced like the probes of dtrace/sdt.h: server<pid>:::request-start.
 *
 * Functions return 0 for success; otherwise they return an error of errno.h and have
 * changed nothing. Every function may be called by several threads, and
 * dtrace_site_fire() also in a signal handler. Strings are copied. On processors other
 * than x86-64, all functions return ENOSYS.
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
 * A place where a probe fires. `lookers` is the number of consumers that have enabled
 * the probe; generated code may test it directly, as the address of a site never
 * changes. Sites are never freed: after its provider was freed, a site has no lookers
 * and does not fire.
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
 * Write no file. Without this flag, processes with the same probes share a file in
 * /tmp/dtrace-probes-UID, and a consumer of "server*" also gets the probes of processes
 * that start later. Use the flag when the names of the probes differ in each run.
 */
#define DTRACE_PROVIDER_PRIVATE 1u

/*
 * `name`: at most 63 letters, digits and _, and not a digit at the end.
 * Errors: EINVAL, ENAMETOOLONG, ENOMEM.
 */
DTRACE_API int dtrace_provider_create(const char* name, unsigned flags, dtrace_provider** provider);

/*
 * Adds a probe, which can fire after dtrace_provider_load(). `name`: "request-start",
 * or with __ for the dash, at most 127 characters. `function`: the function of the
 * probe's description; NULL or "" for the name. `types`: at most ten types of arguments
 * as in C, separated by commas; "" or NULL for none. Permitted are the integer types of
 * C and stdint.h, size_t and the like, and pointers. `*site` becomes the site; after an
 * error, it is a site that never fires.
 * Errors: EINVAL, EEXIST (same function and name), ENAMETOOLONG, E2BIG (too many
 * probes or arguments), ENOMEM.
 */
DTRACE_API int dtrace_provider_probe(dtrace_provider* provider, const char* name,
                                     const char* function, const char* types,
                                     const dtrace_site** site);

/*
 * From now on, the probes that were added since the last call can be found and fire. The
 * cost per probe is low when many are loaded at once. Errors: EINVAL, ENOMEM, and those
 * of the system calls for memory and files.
 */
DTRACE_API int dtrace_provider_load(dtrace_provider* provider);

/*
 * Removes all probes of the provider, enabled or not. Errors: EINVAL for a pointer that is
 * no provider or has been freed; EBUSY while a thread stays in one of the probes: then
 * the function may be called again.
 */
DTRACE_API int dtrace_provider_free(dtrace_provider* provider);

/* 1 when a consumer has enabled the probe, else 0; 0 for NULL. DTRACE_SITE_ENABLED() does it
 * inline. */
DTRACE_API int dtrace_site_enabled(const dtrace_site* site);
#define DTRACE_SITE_ENABLED(site) __builtin_expect((site)->lookers != 0, 0)

/*
 * Fires the probe when it is enabled. `values`: as many as the probe has types, each
 * converted to 64 bits: integers by sign extension or zero extension, pointers by
 * (uintptr_t). Errors: EINVAL for a wrong count; ENXIO when the probe is not loaded, or
 * freed.
 */
DTRACE_API int dtrace_site_fire(const dtrace_site* site, size_t count, const uint64_t* values);

#ifdef __cplusplus
}
#endif

/*
 * DTRACE_SITE_FIRE(site, value, ...), with at least one value; the values are evaluated
 * only when the probe is enabled.
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
