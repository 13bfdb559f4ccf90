/* Prints what a program records, firing after firing, as they come.

     cc firings.c $(pkg-config --cflags --libs dtrace) -o firings
     firings 'syscall::openat:entry { trace(execname); trace(copyinstr(arg1)); }' */

#include <dtrace/dtrace.h>
#include <stdio.h>

static void print_record(void *data, const dtrace_record *record) {
  const dtrace_probe *probe = dtrace_record_probe(record);
  unsigned long *count = data;
  ++*count;
  printf("%lld %s:%s:%s:%s", (long long)dtrace_record_time(record), dtrace_probe_provider(probe),
         dtrace_probe_module(probe), dtrace_probe_function(probe), dtrace_probe_name(probe));
  for (size_t i = 0; i < dtrace_record_actions(record); ++i) {
    for (size_t j = 0; j < dtrace_record_values(record, i); ++j) {
      const dtrace_value *value = dtrace_record_value(record, i, j);
      char text[256];
      dtrace_value_text(value, text, sizeof text);
      printf(" %s=%s", dtrace_value_name(value), text);
    }
  }
  printf("\n");
}

static void print_message(void *data, const char *text) {
  (void)data;
  fprintf(stderr, "firings: %s\n", text);
}

static int fail(dtrace_tracer *tracer) {
  fprintf(stderr, "firings: %s\n%s", dtrace_error(tracer), dtrace_error_excerpt(tracer));
  if (*dtrace_error_hint(tracer) != '\0') {
    fprintf(stderr, "hint: %s\n", dtrace_error_hint(tracer));
  }
  dtrace_free(tracer);
  return 1;
}

int main(int argc, char **argv) {
  unsigned long count = 0;
  dtrace_tracer *tracer;
  int goes_on;
  int status;
  if (argc != 2) {
    fprintf(stderr, "usage: firings program\n");
    return 2;
  }
  if (dtrace_abi_version() != DTRACE_ABI_VERSION || (tracer = dtrace_new()) == NULL) {
    return 1;
  }
  dtrace_on_record(tracer, print_record, &count);
  dtrace_on_message(tracer, print_message, NULL);
  if (dtrace_add_program(tracer, argv[1]) != 0 || dtrace_end_on_signals(tracer) != 0 ||
      dtrace_go(tracer) != 0) {
    return fail(tracer);
  }
  while ((goes_on = dtrace_poll(tracer, 1000)) > 0) {
    fflush(stdout);
  }
  if (goes_on < 0 || dtrace_stop(tracer) != 0) {
    return fail(tracer);
  }
  printf("%lu firings\n", count);
  status = dtrace_exit_status(tracer);
  dtrace_free(tracer);
  return status;
}
