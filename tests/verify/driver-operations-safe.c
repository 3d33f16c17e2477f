// verdict: holds
// A table of functions in a constant structure.
#include <assert.h>

struct file {
  int position;
};
struct file_operations {
  int (*open)(struct file *);
  int (*read)(struct file *, int);
  int (*release)(struct file *);
};

static int opened;

static int dev_open(struct file *file) {
  opened++;
  file->position = 0;
  return 0;
}
static int dev_read(struct file *file, int count) {
  assert(opened > 0);
  file->position += count;
  return count;
}
static int dev_release(struct file *file) {
  opened--;
  return 0;
}

static const struct file_operations operations = {
    .open = dev_open,
    .read = dev_read,
    .release = dev_release,
};

int main(void) {
  struct file file;
  const struct file_operations *ops = &operations;
  if (ops->open(&file) == 0) {
    ops->read(&file, 4);
    ops->release(&file);
  }
  assert(opened == 0 && file.position == 4);
  return 0;
}
