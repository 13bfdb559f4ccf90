/*
 * Registers: indexes of uregs[], those of a thread in user mode, and of regs[],
 * those of the kernel at a probe of kinst, in the order of struct pt_regs of
 * x86-64. R_PC, R_SP and R_FP are their common names.
 */
inline int R_R15 = 0;
inline int R_R14 = 1;
inline int R_R13 = 2;
inline int R_R12 = 3;
inline int R_RBP = 4;
inline int R_RBX = 5;
inline int R_R11 = 6;
inline int R_R10 = 7;
inline int R_R9 = 8;
inline int R_R8 = 9;
inline int R_RAX = 10;
inline int R_RCX = 11;
inline int R_RDX = 12;
inline int R_RSI = 13;
inline int R_RDI = 14;
inline int R_RIP = 16;
inline int R_CS = 17;
inline int R_RFL = 18;
inline int R_RSP = 19;
inline int R_SS = 20;
/* The names of 32 bits. */
inline int R_EBP = 4;
inline int R_EBX = 5;
inline int R_EAX = 10;
inline int R_ECX = 11;
inline int R_EDX = 12;
inline int R_ESI = 13;
inline int R_EDI = 14;
inline int R_EIP = 16;
inline int R_EFL = 18;
inline int R_ESP = 19;
inline int R_UESP = 19;
inline int R_PC = 16;
inline int R_SP = 19;
inline int R_FP = 4;
inline int R_PS = 18;
inline int R_R0 = 10;
inline int R_R1 = 12;

/*
 * What struct pt_regs does not have, and the kernel keeps of a thread: segments as they were when the
 * thread left a CPU, and its last exception. They are indexes of uregs[] alone.
 */
inline int R_DS = 21;
inline int R_ES = 22;
inline int R_FS = 23;
inline int R_GS = 24;
inline int R_FSBASE = 25;
inline int R_GSBASE = 26;
inline int R_TRAPNO = 27;
inline int R_ERR = 28;

inline uint64_t thread_register[int n] =
    n == R_DS ? curthread->thread.ds :
    n == R_ES ? curthread->thread.es :
    n == R_FS ? curthread->thread.fsindex :
    n == R_GS ? curthread->thread.gsindex :
    n == R_FSBASE ? curthread->thread.fsbase :
    n == R_GSBASE ? curthread->thread.gsbase :
    n == R_TRAPNO ? curthread->thread.trap_nr :
    curthread->thread.error_code;
