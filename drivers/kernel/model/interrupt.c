/* Interrupts, timers, work and tasklets: who is registered may come, at the moments that the harness chooses. */
struct boolero_line { irq_handler_t handler; irq_handler_t thread; void *data; unsigned int irq; int disabled; int awake; };
struct boolero_line boolero_lines[4];
int boolero_line_count;

int boolero_request_line(unsigned int irq, irq_handler_t handler, irq_handler_t thread, void *data) {
	if (boolero_fails())
		return -EBUSY;
	if (boolero_line_count >= 4)
		boolero_unsupported("more than 4 interrupt handlers");
	boolero_lines[boolero_line_count].irq = irq;
	boolero_lines[boolero_line_count].handler = handler;
	boolero_lines[boolero_line_count].thread = thread;
	boolero_lines[boolero_line_count].data = data;
	boolero_lines[boolero_line_count].disabled = 0;
	boolero_lines[boolero_line_count].awake = 0;
	boolero_line_count++;
	boolero_meanwhile();
	return 0;
}
int boolero_requested_with(unsigned int irq, const void *data) {
	for (int i = 0; i < boolero_line_count; i++)
		if (boolero_lines[i].irq == irq && boolero_lines[i].data == data)
			return 1;
	return 0;
}
void boolero_free_line(int line) {
	boolero_line_count--;
	boolero_lines[line] = boolero_lines[boolero_line_count];
}
void boolero_step_irq(int line) {
	if (line >= boolero_line_count || boolero_lines[line].disabled)
		return;
	int result = IRQ_WAKE_THREAD;
	if (boolero_lines[line].handler) {
		boolero_interrupt++;
		callback_enter();
		result = boolero_lines[line].handler((int)boolero_lines[line].irq, boolero_lines[line].data);
		callback_return();
		boolero_interrupt--;
	}
	if (result == IRQ_WAKE_THREAD && boolero_lines[line].thread) {
		callback_enter();
		boolero_lines[line].thread((int)boolero_lines[line].irq, boolero_lines[line].data);
		callback_return();
	}
}
int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data) { boolero_may_sleep(); return boolero_request_line(irq, handler, NULL, data); }
int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name, void *data) { boolero_may_sleep(); return boolero_request_line(irq, handler, thread, data); }
int request_any_context_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data) { boolero_may_sleep(); return boolero_request_line(irq, handler, NULL, data); }
const void *free_irq(unsigned int irq, void *data) {
	boolero_may_sleep();
	boolero_meanwhile();
	for (int i = 0; i < boolero_line_count; i++)
		if (boolero_lines[i].irq == irq && boolero_lines[i].data == data) {
			boolero_free_line(i);
			break;
		}
	return NULL;
}
void boolero_release_line(void *data) {
	boolero_meanwhile();
	for (int i = 0; i < boolero_line_count; i++)
		if (boolero_lines[i].data == data) {
			boolero_free_line(i);
			break;
		}
}
int devm_request_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data) {
	boolero_may_sleep();
	int error = boolero_request_line(irq, handler, NULL, data);
	if (!error)
		boolero_devres(boolero_release_line, data);
	return error;
}
int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name, void *data) {
	boolero_may_sleep();
	int error = boolero_request_line(irq, handler, thread, data);
	if (!error)
		boolero_devres(boolero_release_line, data);
	return error;
}
int devm_request_any_context_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data) { return devm_request_irq(dev, irq, handler, flags, name, data); }
void devm_free_irq(struct device *dev, unsigned int irq, void *data) { devm_remove_action(dev, boolero_release_line, data); free_irq(irq, data); }
void boolero_disable(unsigned int irq, int disabled) {
	for (int i = 0; i < boolero_line_count; i++)
		if (boolero_lines[i].irq == irq)
			boolero_lines[i].disabled = disabled;
}
void disable_irq(unsigned int irq) { boolero_may_sleep(); boolero_disable(irq, 1); }
void disable_irq_nosync(unsigned int irq) { boolero_disable(irq, 1); }
void enable_irq(unsigned int irq) { boolero_disable(irq, 0); boolero_meanwhile(); }
void synchronize_irq(unsigned int irq) { boolero_may_sleep(); }

/* A timer that was started may run until `del_timer`; one that runs elsewhere goes on after it, but not after `del_timer_sync`. */
struct timer_list *boolero_timers[3];
int boolero_timer_count;
void boolero_start_timer(struct timer_list *timer) {
	timer->boolero_pending = 1;
	for (int i = 0; i < boolero_timer_count; i++)
		if (boolero_timers[i] == timer)
			return;
	if (boolero_timer_count >= 3)
		boolero_unsupported("more than 3 timers");
	boolero_timers[boolero_timer_count++] = timer;
}
void boolero_forget_timer(struct timer_list *timer) {
	for (int i = 0; i < boolero_timer_count; i++)
		if (boolero_timers[i] == timer) {
			boolero_timers[i] = boolero_timers[--boolero_timer_count];
			return;
		}
}
void boolero_step_timer(int number) {
	if (number >= boolero_timer_count)
		return;
	struct timer_list *timer = boolero_timers[number];
	boolero_forget_timer(timer);
	timer->boolero_pending = 0;
	boolero_interrupt++;
	callback_enter();
	if (timer->boolero_old)
		((void (*)(unsigned long))timer->function)(timer->data);
	else
		((void (*)(struct timer_list *))timer->function)(timer);
	callback_return();
	boolero_interrupt--;
}
void _timer_setup(struct timer_list *timer, void (*function)(struct timer_list *)) { timer->function = (void (*)())function; timer->boolero_old = 0; timer->boolero_pending = 0; }
void _setup_timer(struct timer_list *timer, void (*function)(unsigned long), unsigned long data) { timer->function = (void (*)())function; timer->data = data; timer->boolero_old = 1; timer->boolero_pending = 0; }
void init_timer(struct timer_list *timer) { timer->boolero_old = 1; timer->boolero_pending = 0; }
int mod_timer(struct timer_list *timer, unsigned long expires) { int was = timer->boolero_pending; timer->expires = expires; boolero_start_timer(timer); return was; }
void add_timer(struct timer_list *timer) { boolero_start_timer(timer); }
int del_timer(struct timer_list *timer) { int was = timer->boolero_pending; timer->boolero_pending = 0; if (was && boolero_any()) boolero_forget_timer(timer); return was; }
int del_timer_sync(struct timer_list *timer) { int was = timer->boolero_pending; boolero_meanwhile(); timer->boolero_pending = 0; boolero_forget_timer(timer); return was; }
int try_to_del_timer_sync(struct timer_list *timer) { return del_timer_sync(timer); }

struct work_struct *boolero_works[4];
int boolero_work_count;
void _init_work(struct work_struct *work, work_func_t function) { work->func = function; work->boolero_pending = 0; }
bool schedule_work(struct work_struct *work) {
	if (work->boolero_pending)
		return 0;
	work->boolero_pending = 1;
	if (boolero_work_count >= 4)
		boolero_unsupported("more than 4 pieces of work");
	boolero_works[boolero_work_count++] = work;
	return 1;
}
void boolero_forget_work(struct work_struct *work) {
	for (int i = 0; i < boolero_work_count; i++)
		if (boolero_works[i] == work) {
			boolero_works[i] = boolero_works[--boolero_work_count];
			return;
		}
}
void boolero_step_work(int number) {
	if (number >= boolero_work_count)
		return;
	struct work_struct *work = boolero_works[number];
	boolero_forget_work(work);
	work->boolero_pending = 0;
	callback_enter();
	work->func(work);
	callback_return();
}
bool queue_work(struct workqueue_struct *queue, struct work_struct *work) { return schedule_work(work); }
bool schedule_delayed_work(struct delayed_work *work, unsigned long delay) { return schedule_work(&work->work); }
bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *work, unsigned long delay) { return schedule_work(&work->work); }
bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *work, unsigned long delay) { return !schedule_work(&work->work); }
void boolero_finish_work(struct work_struct *work) {
	for (int i = 0; i < boolero_work_count; i++)
		if (boolero_works[i] == work) {
			boolero_step_work(i);
			return;
		}
}
bool flush_work(struct work_struct *work) { boolero_may_sleep(); boolero_finish_work(work); return 1; }
bool cancel_work_sync(struct work_struct *work) { boolero_may_sleep(); if (boolero_any()) boolero_finish_work(work); boolero_forget_work(work); work->boolero_pending = 0; return boolero_any(); }
bool cancel_work(struct work_struct *work) { if (boolero_any()) { boolero_forget_work(work); work->boolero_pending = 0; } return boolero_any(); }
bool cancel_delayed_work(struct delayed_work *work) { return cancel_work(&work->work); }
bool cancel_delayed_work_sync(struct delayed_work *work) { return cancel_work_sync(&work->work); }
bool flush_delayed_work(struct delayed_work *work) { return flush_work(&work->work); }
void flush_scheduled_work(void) { boolero_may_sleep(); if (boolero_work_count) boolero_step_work(0); if (boolero_work_count) boolero_step_work(0); }
void flush_workqueue(struct workqueue_struct *queue) { flush_scheduled_work(); }
struct workqueue_struct *_alloc_workqueue(void) { return boolero_fails() ? NULL : (struct workqueue_struct *)boolero_works; }
void destroy_workqueue(struct workqueue_struct *queue) { flush_scheduled_work(); }

struct tasklet_struct *boolero_tasklets[2];
int boolero_tasklet_count;
void tasklet_init(struct tasklet_struct *tasklet, void (*function)(unsigned long), unsigned long data) { tasklet->func = function; tasklet->data = data; tasklet->callback = NULL; tasklet->boolero_pending = 0; }
void tasklet_setup(struct tasklet_struct *tasklet, void (*callback)(struct tasklet_struct *)) { tasklet->callback = callback; tasklet->boolero_pending = 0; }
void tasklet_schedule(struct tasklet_struct *tasklet) {
	if (tasklet->boolero_pending)
		return;
	tasklet->boolero_pending = 1;
	if (boolero_tasklet_count >= 2)
		boolero_unsupported("more than 2 tasklets");
	boolero_tasklets[boolero_tasklet_count++] = tasklet;
}
void boolero_step_tasklet(int number) {
	if (number >= boolero_tasklet_count)
		return;
	struct tasklet_struct *tasklet = boolero_tasklets[number];
	boolero_tasklets[number] = boolero_tasklets[--boolero_tasklet_count];
	tasklet->boolero_pending = 0;
	boolero_interrupt++;
	callback_enter();
	if (tasklet->callback)
		tasklet->callback(tasklet);
	else
		tasklet->func(tasklet->data);
	callback_return();
	boolero_interrupt--;
}
void tasklet_kill(struct tasklet_struct *tasklet) {
	boolero_may_sleep();
	for (int i = 0; i < boolero_tasklet_count; i++)
		if (boolero_tasklets[i] == tasklet) {
			boolero_step_tasklet(i);
			return;
		}
}
