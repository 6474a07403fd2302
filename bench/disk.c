/* Stands between a program and the disk.
   With DISK_LOG set it records in that file what the program writes to tintdesk.db and its log, and when it asks the disk to
   keep it. A record: kind (w, t or s), file (d or l), offset (8 bytes), length (4 bytes), then the bytes that were written.
   With DISK_NORMAL set it leaves out the syncs of the log, which synchronous = NORMAL does not ask for at a commit.
   With DISK_WAIT_MS set every sync takes so much longer, so that figures of durable writes do not hang on the disk of the day.
   Built by the program that needs it: cc -shared -fPIC -o preload.so disk.c */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int log_fd = -2;

static char file_of(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  if (!name) return 0;
  if (strcmp(name, "/tintdesk.db") == 0) return 'd';
  /* A new database is made under another name, and linked to its own when it is whole. Its journal is no part of it. */
  if (strncmp(name, "/.tintdesk.db.", 14) == 0 && strcmp(name + strlen(name) - 4, ".tmp") == 0) return 'd';
  if (strcmp(name, "/tintdesk.db-wal") == 0) return 'l';
  return 0;
}

static void note(char kind, int fd, uint64_t offset, const void *bytes, uint32_t length) {
  if (log_fd == -2) {
    const char *path = getenv("DISK_LOG");
    log_fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  }
  if (log_fd < 0) return;
  char file = file_of(fd);
  if (!file) return;
  if (kind == 's' && file == 'l' && getenv("DISK_NORMAL")) return;
  char head[14] = {kind, file};
  memcpy(head + 2, &offset, 8);
  memcpy(head + 10, &length, 4);
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, bytes ? length : 0}};
  syscall(SYS_writev, log_fd, parts, bytes && length ? 2 : 1);
}

#define REAL(name, type) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, name)

typedef ssize_t (*pwrite_type)(int, const void *, size_t, off_t);
typedef ssize_t (*write_type)(int, const void *, size_t);
typedef int (*truncate_type)(int, off_t);
typedef int (*sync_type)(int);

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  REAL("pwrite", pwrite_type);
  ssize_t written = real(fd, bytes, length, offset);
  if (written > 0) note('w', fd, (uint64_t)offset, bytes, (uint32_t)written);
  return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) __attribute__((alias("pwrite")));

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL("write", write_type);
  off_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t written = real(fd, bytes, length);
  if (written > 0 && offset >= 0) note('w', fd, (uint64_t)offset, bytes, (uint32_t)written);
  return written;
}

int ftruncate(int fd, off_t length) {
  REAL("ftruncate", truncate_type);
  int result = real(fd, length);
  if (result == 0) note('t', fd, (uint64_t)length, NULL, 0);
  return result;
}

int ftruncate64(int fd, off_t length) __attribute__((alias("ftruncate")));

static void wait_for_disk(void) {
  const char *ms = getenv("DISK_WAIT_MS");
  struct timespec pause = {0, (ms ? atoi(ms) : 0) * 1000000};
  if (ms) nanosleep(&pause, 0);
}

int fsync(int fd) {
  REAL("fsync", sync_type);
  wait_for_disk();
  int result = real(fd);
  if (result == 0) note('s', fd, 0, NULL, 0);
  return result;
}

int fdatasync(int fd) {
  REAL("fdatasync", sync_type);
  wait_for_disk();
  int result = real(fd);
  if (result == 0) note('s', fd, 0, NULL, 0);
  return result;
}
