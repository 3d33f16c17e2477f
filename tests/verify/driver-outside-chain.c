// verdict: violated
// without random runs: violated
// Harnesses for drivers call a function with pointers that nobody has set. They lead to memory of their own, member by member.
extern void reach_error(void);
struct device { int state; };
struct block_device { int id; struct device *parent; };

static int probe(struct block_device *bdev) { return bdev->parent->state; }

int main(void) {
    struct block_device *group;
    if (probe(group) == 3) reach_error();
    return 0;
}
