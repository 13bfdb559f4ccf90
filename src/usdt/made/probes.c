// What dtrace/probes.h declares.
//
// Probes are made by pages of sites; a page of them is loaded as one file (image.h):
//
//   before           two anonymous pages: one for code, one of sites, that no tracer sees
//   loaded           both are mapped from the file, at the same addresses; the kernel
//                    puts its breakpoint into the first, and counts lookers in the second
//   freed            two anonymous pages of zeros, for good: a site that a program kept
//                    has no lookers. They take no memory until they are touched.
//
// A page that is loaded takes no more probes.

#include "dtrace/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "usdt/made/file.h"
#include "usdt/made/image.h"
#include "usdt/made/types.h"

_Static_assert(sizeof(dtrace_site) == kMadeSlot, "sites lie behind their code");
_Static_assert(sizeof(struct made_head) == kMadeSlot, "the head has the place of a site");

enum {
  kMaxProviderBytes = 63,
  kMaxProbeBytes = 127,
  kMaxFunctionBytes = 255,
  kProbesOfPage = kMadeSlots - 1,
  kLeaveMs = 1000  // as long a thread may stay in a probe that is freed
};

struct page {
  struct page* next;
  unsigned char* code;  // behind it the sites
  size_t count;
  int is_loaded;
  struct made_probe probes[kProbesOfPage];
};

struct dtrace_provider {
  dtrace_provider* next;
  char name[kMaxProviderBytes + 1];
  unsigned flags;
  size_t count;
  struct page* pages;  // the newest first
};

static const dtrace_site kNever;

// Held by all that changes providers, and across a fork(): the child must be able to go on.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static dtrace_provider* providers;

static struct made_head* head_of(const struct page* page) {
  return (struct made_head*)(page->code + kMadePage);
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

// Threads that were in a probe are not in the child.
static void in_child(void) {
  for (dtrace_provider* one = providers; one != NULL; one = one->next) {
    for (struct page* page = one->pages; page != NULL; page = page->next) {
      if (page->is_loaded) head_of(page)->inside = 0;
    }
  }
  after_fork();
}

static void watch_forks(void) { (void)pthread_atfork(before_fork, after_fork, in_child); }

static void enter(void) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&lock);
}

static int leave(int error) {
  pthread_mutex_unlock(&lock);
  return error;
}

static int is_known(const dtrace_provider* provider) {
  const dtrace_provider* one = providers;
  while (one != NULL && one != provider) one = one->next;
  return one != NULL;
}

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int check_provider_name(const char* name) {
  if (name == NULL || !is_letter(name[0])) return EINVAL;
  const size_t size = strnlen(name, kMaxProviderBytes + 1);
  if (size > kMaxProviderBytes) return ENAMETOOLONG;
  for (size_t i = 0; i < size; i++) {
    if (!is_letter(name[i]) && !is_digit(name[i])) return EINVAL;
  }
  return is_digit(name[size - 1]) || strcmp(name, "pid") == 0 ? EINVAL : 0;
}

// "request__start" for "request-start".
static int copy_probe_name(const char* name, char** out) {
  char copy[kMaxProbeBytes + 3];
  size_t size = 0;
  if (name == NULL || !is_letter(name[0])) return EINVAL;
  for (; *name != '\0'; name++) {
    if (!is_letter(*name) && !is_digit(*name) && *name != '-') return EINVAL;
    copy[size++] = *name == '-' ? '_' : *name;
    if (*name == '-') copy[size++] = '_';
    if (size > kMaxProbeBytes) return ENAMETOOLONG;
  }
  copy[size] = '\0';
  *out = strdup(copy);
  return *out == NULL ? ENOMEM : 0;
}

// Any names of any language; what separates the fields of a description is not in them.
static int copy_function(const char* function, const char* name, char** out) {
  if (function == NULL || function[0] == '\0') function = name;
  const size_t size = strnlen(function, kMaxFunctionBytes + 1);
  if (size > kMaxFunctionBytes) return ENAMETOOLONG;
  for (size_t i = 0; i < size; i++) {
    const unsigned char c = (unsigned char)function[i];
    if (c <= ' ' || c == ':' || c == 127) return EINVAL;
  }
  *out = strdup(function);
  return *out == NULL ? ENOMEM : 0;
}

static uint32_t number_of(const struct made_probe* probe) {
  uint32_t number = 0;
  for (const char* c = probe->name; *c != '\0'; c++) number = number * 31 + (unsigned char)*c;
  for (const char* c = probe->function; *c != '\0'; c++) number = number * 31 + (unsigned char)*c;
  return number;
}

static void forget(struct made_probe* probe) {
  free(probe->name);
  free(probe->function);
  free(probe->operands);
  free(probe->types);
}

static int has_probe(const dtrace_provider* provider, const struct made_probe* probe) {
  for (const struct page* page = provider->pages; page != NULL; page = page->next) {
    for (size_t i = 0; i < page->count; i++) {
      if (page->probes[i].number == probe->number &&
          strcmp(page->probes[i].name, probe->name) == 0 &&
          strcmp(page->probes[i].function, probe->function) == 0) {
        return 1;
      }
    }
  }
  return 0;
}

static int map_anonymous(void* at, size_t size, int protection, void** out) {
  const int fixed = at == NULL ? 0 : MAP_FIXED;
  *out = mmap(at, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
  return *out == MAP_FAILED ? errno : 0;
}

// A page with room for a probe in *out.
static int page_of(dtrace_provider* provider, struct page** out) {
  *out = provider->pages;
  if (*out != NULL && !(*out)->is_loaded && (*out)->count < kProbesOfPage) return 0;
  struct page* const page = calloc(1, sizeof *page);
  if (page == NULL) return ENOMEM;
  void* pages = NULL;
  const int error = map_anonymous(NULL, (size_t)2 * kMadePage, PROT_READ | PROT_WRITE, &pages);
  if (error != 0) {
    free(page);
    return error;
  }
  page->code = pages;
  page->next = provider->pages;
  provider->pages = page;
  *out = page;
  return 0;
}

static int add(dtrace_provider* provider, struct made_probe* probe, const dtrace_site** site) {
  if (!is_known(provider)) return EINVAL;
  if (provider->count == DTRACE_PROVIDER_MAX_PROBES) return E2BIG;
  if (has_probe(provider, probe)) return EEXIST;
  struct page* page = NULL;
  const int error = page_of(provider, &page);
  if (error != 0) return error;
  dtrace_site* const place = (dtrace_site*)(page->code + kMadePage) + page->count + 1;
  place->arguments = probe->arguments;
  page->probes[page->count++] = *probe;
  provider->count++;
  *site = place;
  return 0;
}

// The code first: until the sites are mapped it does not run.
static int map_file(const struct page* page, int fd, const struct made_image* image) {
  const off_t code = (off_t)(image->size - (size_t)2 * kMadePage);
  const int flags = MAP_PRIVATE | MAP_FIXED;
  if (mmap(page->code, kMadePage, PROT_READ | PROT_EXEC, flags, fd, code) == MAP_FAILED ||
      mmap(page->code + kMadePage, kMadePage, PROT_READ | PROT_WRITE, flags, fd,
           code + kMadePage) == MAP_FAILED) {
    return errno;
  }
  return 0;
}

// A file system may forbid that its files are executed; memory is the other way.
static int load_page(const dtrace_provider* provider, struct page* page) {
  struct made_image image = {0};
  int error = made_image_build(provider->name, page->probes, page->count, &image);
  if (error != 0) return error;
  const int is_private = (provider->flags & DTRACE_PROVIDER_PRIVATE) != 0;
  int fd = is_private ? -1 : made_file_kept(provider->name, &image);
  error = fd < 0 ? ENOENT : map_file(page, fd, &image);
  if (fd >= 0) close(fd);
  if (error != 0) {
    fd = made_file_in_memory(provider->name, &image);
    error = fd < 0 ? errno : map_file(page, fd, &image);
    if (fd >= 0) close(fd);
  }
  free(image.bytes);
  page->is_loaded = error == 0;
  return error;
}

// 0 once no thread is in the code of the page, and no thread enters it any more.
static int empty_page(const struct page* page) {
  struct made_head* const head = head_of(page);
  __atomic_store_n(&head->is_loaded, 0, __ATOMIC_SEQ_CST);
  const struct timespec pause = {0, 1000000};
  for (int i = 0; __atomic_load_n(&head->inside, __ATOMIC_SEQ_CST) != 0; i++) {
    if (i == kLeaveMs) return EBUSY;
    nanosleep(&pause, NULL);
  }
  return 0;
}

static int free_page(struct page* page) {
  int error = page->is_loaded ? empty_page(page) : 0;
  void* pages = NULL;
  if (error == 0) {
    error = map_anonymous(page->code, (size_t)2 * kMadePage, PROT_READ | PROT_WRITE, &pages);
  }
  if (error != 0) return error;
  for (size_t i = 0; i < page->count; i++) forget(&page->probes[i]);
  free(page);
  return 0;
}

int dtrace_provider_create(const char* name, unsigned flags, dtrace_provider** provider) {
  if (provider == NULL) return EINVAL;
  *provider = NULL;
  const int error = check_provider_name(name);
  if (error != 0) return error;
  if ((flags & ~DTRACE_PROVIDER_PRIVATE) != 0) return EINVAL;
  dtrace_provider* const made = calloc(1, sizeof *made);
  if (made == NULL) return ENOMEM;
  strcpy(made->name, name);
  made->flags = flags;
  enter();
  made->next = providers;
  providers = made;
  *provider = made;
  return leave(0);
}

int dtrace_provider_probe(dtrace_provider* provider, const char* name, const char* function,
                          const char* types, const dtrace_site** site) {
  if (site == NULL) return EINVAL;
  *site = &kNever;
  struct made_probe probe = {0};
  int error = copy_probe_name(name, &probe.name);
  if (error == 0) error = copy_function(function, probe.name, &probe.function);
  if (error == 0) error = made_types(types, &probe);
  if (error == 0) {
    probe.number = number_of(&probe);
    enter();
    error = leave(add(provider, &probe, site));
  }
  if (error != 0) forget(&probe);
  return error;
}

// Pages that are not loaded are the first of the list.
int dtrace_provider_load(dtrace_provider* provider) {
  enter();
  if (!is_known(provider)) return leave(EINVAL);
  int error = 0;
  for (struct page* page = provider->pages; page != NULL && error == 0; page = page->next) {
    if (!page->is_loaded) error = load_page(provider, page);
  }
  return leave(error);
}

int dtrace_provider_free(dtrace_provider* provider) {
  enter();
  if (!is_known(provider)) return leave(EINVAL);
  while (provider->pages != NULL) {
    struct page* const next = provider->pages->next;
    const int error = free_page(provider->pages);
    if (error != 0) return leave(error);
    provider->pages = next;
  }
  dtrace_provider** at = &providers;
  while (*at != provider) at = &(*at)->next;
  *at = provider->next;
  free(provider);
  return leave(0);
}

int dtrace_site_enabled(const dtrace_site* site) { return site != NULL && site->lookers != 0; }

typedef void code_of_six(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef void code_of_ten(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                         uint64_t, uint64_t, uint64_t);

static void run_code(const dtrace_site* site, size_t count, const uint64_t* values) {
  uint64_t v[DTRACE_PROVIDER_MAX_ARGUMENTS] = {0};
  if (count != 0) memcpy(v, values, count * sizeof *v);
  const uintptr_t code = (uintptr_t)site - kMadePage;
  if (count <= 6) {
    ((code_of_six*)code)(v[0], v[1], v[2], v[3], v[4], v[5]);
  } else {
    ((code_of_ten*)code)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
  }
}

int dtrace_site_fire(const dtrace_site* site, size_t count, const uint64_t* values) {
  if (site == NULL || (count != 0 && values == NULL)) return EINVAL;
  if (!site->is_loaded) return ENXIO;
  if (count != site->arguments) return EINVAL;
  if (site->lookers == 0) return 0;
  struct made_head* const head = (struct made_head*)((uintptr_t)site & ~((uintptr_t)kMadePage - 1));
  int error = ENXIO;
  __atomic_add_fetch(&head->inside, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&head->is_loaded, __ATOMIC_SEQ_CST) != 0) {
    run_code(site, count, values);
    error = 0;
  }
  __atomic_sub_fetch(&head->inside, 1, __ATOMIC_SEQ_CST);
  return error;
}

#else

static const dtrace_site kNever;

int dtrace_provider_create(const char* name, unsigned flags, dtrace_provider** provider) {
  (void)name, (void)flags;
  if (provider != NULL) *provider = NULL;
  return ENOSYS;
}

int dtrace_provider_probe(dtrace_provider* provider, const char* name, const char* function,
                          const char* types, const dtrace_site** site) {
  (void)provider, (void)name, (void)function, (void)types;
  if (site != NULL) *site = &kNever;
  return ENOSYS;
}

int dtrace_provider_load(dtrace_provider* provider) { return (void)provider, ENOSYS; }
int dtrace_provider_free(dtrace_provider* provider) { return (void)provider, ENOSYS; }
int dtrace_site_enabled(const dtrace_site* site) { return (void)site, 0; }
int dtrace_site_fire(const dtrace_site* site, size_t count, const uint64_t* values) {
  return (void)site, (void)count, (void)values, ENOSYS;
}

#endif
