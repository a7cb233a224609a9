// Replacements for functions of which glibc 2.35 has new versions, so that the program also runs with glibc 2.34 (RHEL 9, Amazon
// Linux 2023). Without these replacements, the program would need glibc 2.35 only for these three functions.
// scripts/build-release.sh makes the linker use them; scripts/check-release.sh finds out the newest version that the program
// needs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <stddef.h>

#if defined(__GLIBC__)

// glibc 2.35 changed only how `hypot` reports errors. `--wrap=hypot` redirects all calls of `hypot` to `__wrap_hypot`.
#if defined(__x86_64__)
__asm__(".symver older_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver older_hypotf, hypotf@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver older_hypot, hypot@GLIBC_2.17");
__asm__(".symver older_hypotf, hypotf@GLIBC_2.17");
#endif

#if defined(__x86_64__) || defined(__aarch64__)
double older_hypot(double x, double y);
float older_hypotf(float x, float y);

double __wrap_hypot(double x, double y) { return older_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return older_hypotf(x, y); }
#endif

// libgcc's unwinder, which is linked in, calls `_dl_find_object` to find the unwind tables for the code at an address. The
// function of glibc 2.35 is faster, but no code whose speed matters unwinds the stack: Swift's errors are ordinary values.
#if __GLIBC_PREREQ(2, 35) && defined(DLFO_STRUCT_HAS_EH_DBASE)

struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

static int find(struct dl_phdr_info *object, size_t size, void *context) {
    struct search *search = context;
    const ElfW(Phdr) *segment = NULL;
    const ElfW(Phdr) *tables = NULL;
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        ElfW(Addr) start = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_EH_FRAME) tables = header;
        if (header->p_type == PT_LOAD && start <= search->address && search->address - start < header->p_memsz) {
            segment = header;
        }
    }
    if (segment == NULL || tables == NULL) return 0;
    *search->result = (struct dl_find_object){
        .dlfo_map_start = (void *)(object->dlpi_addr + segment->p_vaddr),
        .dlfo_map_end = (void *)(object->dlpi_addr + segment->p_vaddr + segment->p_memsz),
        .dlfo_eh_frame = (void *)(object->dlpi_addr + tables->p_vaddr),
    };
    return 1;
}

// The function is hidden, so that libraries still use glibc's function.
__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(find, &search) == 1 ? 0 : -1;
}

#endif
#endif
