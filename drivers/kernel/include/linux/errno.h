/* Error numbers: those that programs see, and those of the kernel. */
#ifndef BOOLERO_ERRNO_H
#define BOOLERO_ERRNO_H
#include <asm/errno.h>
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ENOIOCTLCMD 515
#define ERESTART_RESTARTBLOCK 516
#define EPROBE_DEFER 517
#define EOPENSTALE 518
#define ENOPARAM 519
#define ENOTSUPP 524
#define EIOCBQUEUED 529
#endif
