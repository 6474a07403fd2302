/* Makes every fsync take 2 ms longer, so that figures of durable writes do not hang on the disk of the day.
   Built by the benchmark: cc -shared -fPIC -o slow-fsync.so slow-fsync.c */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_2_ms(void) {
  struct timespec two_ms = {0, 2000000};
  nanosleep(&two_ms, 0);
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_2_ms();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_2_ms();
  return real(fd);
}
