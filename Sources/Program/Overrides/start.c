// Keeps libraries from work at start that the program doesn't need.
//
// scripts/build-release.sh makes the linker redirect the calls to these functions (`--wrap`).
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Weak, because a build without `--wrap` has no such functions, and doesn't call these.
__attribute__((weak)) FILE *__real_fopen(const char *path, const char *mode);
__attribute__((weak)) long __real_sysconf(int name);
FILE *__wrap_fopen(const char *path, const char *mode);
long __wrap_sysconf(int name);

// The Swift runtime looks for the program's arguments in the memory of the process, which it finds in /proc/self/maps. Instead, it is
// given the arguments that glibc passes to constructors.
FILE *__wrap_fopen(const char *path, const char *mode) {
    return strcmp(path, "/proc/self/maps") == 0 ? NULL : __real_fopen(path, mode);
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

__attribute__((constructor)) static void give_arguments(int count, char **arguments) {
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}

// Without memory, Swift's runtime ends the process with a signal. If the address space has a limit, there has to be room for what every
// command needs; what sending needs is tested before the first request.
__attribute__((constructor)) static void require_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    size_t size = 16 << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        static const char message[] = "error: too little address space is free: raise the limit (ulimit -v)\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        _exit(6);
    }
    munmap(room, size);
}

// libdispatch asks four times how many processors there are, and glibc reads a file each time.
long __wrap_sysconf(int name) {
    static atomic_long processors;
    if (name != _SC_NPROCESSORS_CONF) return __real_sysconf(name);
    long known = atomic_load_explicit(&processors, memory_order_relaxed);
    if (known == 0) {
        known = __real_sysconf(name);
        atomic_store_explicit(&processors, known, memory_order_relaxed);
    }
    return known;
}

// ICU brings the streams of C++ along, which nothing in the program uses. Without them, there is no locale to build.
void __wrap__ZNSt8ios_base4InitC1Ev(void *init);
void __wrap__ZNSt8ios_base4InitC1Ev(void *init) { (void)init; }
