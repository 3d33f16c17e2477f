/* Files: a client opens one, uses it in any order, and closes it. */
struct boolero_client { const struct file_operations *fops; struct inode inode; struct file file; int open; };
struct boolero_client boolero_client;
const struct file_operations *boolero_fops;
struct miscdevice *boolero_misc;
char boolero_user_buffer[8];

void boolero_step_file(void) {
	struct boolero_client *client = &boolero_client;
	if (!client->open) {
		if (!boolero_fops)
			return;
		client->fops = boolero_fops;
		client->file.f_op = boolero_fops;
		client->file.f_inode = &client->inode;
		client->file.f_flags = __VERIFIER_nondet_uint();
		client->file.f_mode = FMODE_READ | FMODE_WRITE;
		client->file.f_pos = 0;
		client->file.private_data = boolero_misc;
		int error = 0;
		if (client->fops->open) {
			callback_enter();
			error = client->fops->open(&client->inode, &client->file);
			callback_return();
		}
		client->open = !error;
		return;
	}
	callback_enter();
	if (client->fops->read && boolero_any())
		client->fops->read(&client->file, boolero_user_buffer, __VERIFIER_nondet_uchar(), &client->file.f_pos);
	else if (client->fops->write && boolero_any())
		client->fops->write(&client->file, boolero_user_buffer, __VERIFIER_nondet_uchar(), &client->file.f_pos);
	else if (client->fops->unlocked_ioctl && boolero_any())
		client->fops->unlocked_ioctl(&client->file, boolero_command(), __VERIFIER_nondet_ulong());
	else if (client->fops->poll && boolero_any())
		client->fops->poll(&client->file, NULL);
	else if (client->fops->release && boolero_any()) {
		client->fops->release(&client->inode, &client->file);
		client->open = 0;
	}
	callback_return();
}
void boolero_close_files(void) {
	if (!boolero_client.open)
		return;
	if (boolero_client.fops->release) {
		callback_enter();
		boolero_client.fops->release(&boolero_client.inode, &boolero_client.file);
		callback_return();
	}
	boolero_client.open = 0;
}
int misc_register(struct miscdevice *misc) {
	boolero_may_sleep();
	if (boolero_fails())
		return -EBUSY;
	boolero_misc = misc;
	boolero_fops = misc->fops;
	boolero_meanwhile();
	return 0;
}
void misc_deregister(struct miscdevice *misc) { boolero_may_sleep(); boolero_meanwhile(); boolero_fops = NULL; boolero_misc = NULL; }
void cdev_init(struct cdev *cdev, const struct file_operations *fops) { cdev->ops = fops; }
int cdev_add(struct cdev *cdev, dev_t dev, unsigned int count) {
	boolero_may_sleep();
	if (boolero_fails())
		return -ENOMEM;
	boolero_fops = cdev->ops;
	boolero_client.inode.i_cdev = cdev;
	boolero_meanwhile();
	return 0;
}
void cdev_del(struct cdev *cdev) { boolero_may_sleep(); boolero_meanwhile(); boolero_fops = NULL; }
int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops) {
	boolero_may_sleep();
	if (boolero_fails())
		return -EBUSY;
	boolero_fops = fops;
	boolero_meanwhile();
	return major ? 0 : 240;
}
void unregister_chrdev(unsigned int major, const char *name) { boolero_may_sleep(); boolero_meanwhile(); boolero_fops = NULL; }
int alloc_chrdev_region(dev_t *dev, unsigned int first, unsigned int count, const char *name) { boolero_may_sleep(); if (boolero_fails()) return -EBUSY; *dev = MKDEV(240, first); return 0; }
int register_chrdev_region(dev_t dev, unsigned int count, const char *name) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void unregister_chrdev_region(dev_t dev, unsigned int count) { boolero_may_sleep(); }
