/* The moments of a run that rules may watch, and what models tell the harness. */
#ifndef BOOLERO_MOMENTS_H
#define BOOLERO_MOMENTS_H
#include <linux/kernel.h>
void callback_enter(void);
void callback_return(void);
void probe_succeeded(void);
void probe_failed(void);
void device_removed(void);
void module_init_failed(void);
void module_exited(void);
/* Interrupts, timers and the like may come now; clients may use what was registered. */
void boolero_meanwhile(void);
/* The run does not go on: a thread waits for ever, or the kernel has stopped. */
extern void __VERIFIER_assume(int condition);
extern int boolero_interrupt, boolero_spins, boolero_irqs_off, boolero_preempt_off;
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *memory);
void boolero_devres(void (*release)(void *), void *data);
void boolero_detach(void);
extern struct device_driver *boolero_driver;
extern struct device *boolero_device;
void *boolero_platform_data(void);
void *boolero_outside(void);
int boolero_requested_with(unsigned int irq, const void *data);
#endif
