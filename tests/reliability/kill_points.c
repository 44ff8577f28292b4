/* Counts what a process does to files below some folders, and kills it at the wanted point.
 *
 * Loaded with LD_PRELOAD; does nothing before kill_points_arm. A point is one call that opens for
 * writing, writes, truncates, flushes, renames, unlinks or makes a folder. The counter is shared
 * with forked processes, whose points count too; at the wanted one the whole process group is
 * killed, before the call, or for a write after half of its bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long wanted = -1;
static long *counter;

void kill_points_arm(const char *path, long point) {
    counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *counter = 0;
    wanted = point;
    snprintf(folder, sizeof folder, "%s/", path);
}

long kill_points_count(void) { return counter ? *counter : 0; }

static int is_next(void) { return __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST) == wanted; }

static void point(int below) {
    if (below && is_next()) kill(0, SIGKILL);
}

static int below(int base, const char *path) {
    if (!counter || !path) return 0;
    if (path[0] == '/') return !strncmp(path, folder, strlen(folder));
    char link[64], where[PATH_MAX];
    if (base == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", base);
    ssize_t length = readlink(link, where, sizeof where - 2);
    if (length < 0) return 0;
    where[length] = '/', where[length + 1] = 0;
    return !strncmp(where, folder, strlen(folder));
}

static int is_file_below(int fd) {
    char link[64], where[PATH_MAX];
    if (!counter) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, where, sizeof where - 1);
    if (length < 0) return 0;
    where[length] = 0;
    return !strncmp(where, folder, strlen(folder));
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); \
    }

#define OPEN(name) int name(const char *path, int flags, ...) { \
    MODE(flags) point(WRITES(flags) && below(AT_FDCWD, path)); return NEXT(name)(path, flags, mode); }
#define OPENAT(name) int name(int base, const char *path, int flags, ...) { \
    MODE(flags) point(WRITES(flags) && below(base, path)); return NEXT(name)(base, path, flags, mode); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

#define FOPEN(name) FILE *name(const char *path, const char *mode) { \
    point(mode[0] != 'r' && below(AT_FDCWD, path)); return NEXT(name)(path, mode); }
FOPEN(fopen) FOPEN(fopen64)

ssize_t write(int fd, const void *bytes, size_t size) {
    if (is_file_below(fd) && is_next()) {
        NEXT(write)(fd, bytes, size / 2);
        kill(0, SIGKILL);
    }
    return NEXT(write)(fd, bytes, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (is_file_below(fd) && is_next()) {
        NEXT(writev)(fd, parts, count / 2);
        kill(0, SIGKILL);
    }
    return NEXT(writev)(fd, parts, count);
}

#define PWRITE(name, offset_type) \
    ssize_t name(int fd, const void *bytes, size_t size, offset_type offset) { \
        point(is_file_below(fd)); return NEXT(name)(fd, bytes, size, offset); }
PWRITE(pwrite, off_t) PWRITE(pwrite64, off64_t)

int fsync(int fd) { point(is_file_below(fd)); return NEXT(fsync)(fd); }
int fdatasync(int fd) { point(is_file_below(fd)); return NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { point(is_file_below(fd)); return NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { point(is_file_below(fd)); return NEXT(ftruncate64)(fd, size); }
int truncate(const char *path, off_t size) {
    point(below(AT_FDCWD, path)); return NEXT(truncate)(path, size); }
int truncate64(const char *path, off64_t size) {
    point(below(AT_FDCWD, path)); return NEXT(truncate64)(path, size); }
int rename(const char *from, const char *to) {
    point(below(AT_FDCWD, to)); return NEXT(rename)(from, to); }
int renameat(int base, const char *from, int other, const char *to) {
    point(below(other, to)); return NEXT(renameat)(base, from, other, to); }
int unlink(const char *path) { point(below(AT_FDCWD, path)); return NEXT(unlink)(path); }
int unlinkat(int base, const char *path, int flags) {
    point(below(base, path)); return NEXT(unlinkat)(base, path, flags); }
int rmdir(const char *path) { point(below(AT_FDCWD, path)); return NEXT(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { point(below(AT_FDCWD, path)); return NEXT(mkdir)(path, mode); }
int mkdirat(int base, const char *path, mode_t mode) {
    point(below(base, path)); return NEXT(mkdirat)(base, path, mode); }
int symlink(const char *to, const char *path) {
    point(below(AT_FDCWD, path)); return NEXT(symlink)(to, path); }
int link(const char *from, const char *to) { point(below(AT_FDCWD, to)); return NEXT(link)(from, to); }
