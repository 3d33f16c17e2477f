
struct deviceN { int state; int irq; unsigned flags; int pending; unsigned char regs[16]; struct deviceN *next; };
static struct deviceN devN, spareN;
static int errorsN, open_countN;

static int read_regN(struct deviceN *d, int r) {
  if (r < 0 || r >= 16) {
    errorsN++;
    return -1;
  }
  return d->regs[r & 15];
}

static int write_regN(struct deviceN *d, int r, int v) {
  if (r < 0 || r >= 16) {
    errorsN++;
    return -1;
  }
  d->regs[r & 15] = (unsigned char)v;
  return 0;
}

static int probeN(struct deviceN *d) {
  int i, s = 0;
  for (i = 0; i < 16; i++) {
    if (write_regN(d, i, 0))
      return -1;
    s += read_regN(d, i);
  }
  d->state = 1;
  d->flags |= 4u;
  d->next = &spareN;
  if (s > 100) {
    d->pending = s;
    errorsN += 2;
  } else if (s < 0)
    return s;
  return 0;
}

static int ioctlN(struct deviceN *d, int cmd, int arg) {
  int status = 0;
  switch (cmd) {
  case 1:
    d->irq = arg;
    break;
  case 2:
    if (d->state == 1) {
      d->flags ^= (unsigned)arg;
      status = write_regN(d, arg, 7);
    } else
      status = -5;
    break;
  case 3:
    d->pending = 0;
    while (arg > 0) {
      d->pending += arg & 3;
      arg--;
    }
    break;
  case 4:
    status = read_regN(d, 3);
    if (status > 10)
      d->state = 2;
    break;
  case 5:
    if (d->next)
      d->next->irq = arg;
    break;
  default:
    status = -22;
  }
  if (status < 0)
    errorsN++;
  return status;
}

static int useN(int cmd, int arg) {
  int r;
  if (open_countN)
    return -16;
  open_countN++;
  if (probeN(&devN) < 0) {
    open_countN--;
    return -1;
  }
  r = ioctlN(&devN, cmd, arg);
  if (open_countN > 0)
    open_countN--;
  devN.state = 0;
  return r;
}
