// What the string programs share: a string of D is 256 bytes.
#define SIZE 256

struct text {
  char bytes[SIZE];
};

struct pt_regs {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
};

// copyinstr(arg0): the length with the NUL, or less than 0.
static __always_inline long copyinstr(struct bpf_raw_tracepoint_args* ctx, char* to) {
  const struct pt_regs* regs = (const struct pt_regs*)ctx->args[0];
  unsigned long arg0 = 0;
  bpf_probe_read_kernel(&arg0, sizeof arg0, &regs->di);
  return bpf_probe_read_user_str(to, SIZE, (const void*)arg0);
}
