// Finds the libraries that libcurl needs, and opens them before libcurl: see needs.h.

// For dlinfo
#define _GNU_SOURCE

#include "needs.h"

#include "CLibcurl.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// These limits are higher than in any real library.
enum { maximumSegments = 32, maximumEntries = 256 };

static bool readAt(int file, void *bytes, size_t count, uint64_t offset) {
    if (offset > INT64_MAX) return false;
    return pread(file, bytes, count, (off_t)offset) == (ssize_t)count;
}

// The offset in the file of the byte that will be loaded at this address; 0 if the file has no such byte.
static uint64_t offsetOf(ElfW(Addr) address, const ElfW(Phdr) *segments, int count) {
    for (int index = 0; index < count; index++) {
        const ElfW(Phdr) *segment = &segments[index];
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_filesz) {
            return segment->p_offset + (address - segment->p_vaddr);
        }
    }
    return 0;
}

int lc_read_needs(int file, lc_library_name *names, int limit) {
    ElfW(Ehdr) head;
    if (!readAt(file, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return 0;
    int wordSize = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (head.e_ident[EI_CLASS] != wordSize || head.e_phentsize != sizeof(ElfW(Phdr))) return 0;

    ElfW(Phdr) segments[maximumSegments];
    if (head.e_phnum > maximumSegments) return 0;
    if (!readAt(file, segments, head.e_phnum * sizeof *segments, head.e_phoff)) return 0;

    ElfW(Dyn) entries[maximumEntries];
    int entryCount = 0;
    for (int index = 0; index < head.e_phnum; index++) {
        if (segments[index].p_type != PT_DYNAMIC) continue;
        size_t size = segments[index].p_filesz;
        if (size > sizeof entries || !readAt(file, entries, size, segments[index].p_offset)) return 0;
        entryCount = (int)(size / sizeof *entries);
    }

    uint64_t strings = 0;
    for (int index = 0; index < entryCount; index++) {
        if (entries[index].d_tag == DT_STRTAB) strings = offsetOf(entries[index].d_un.d_ptr, segments, head.e_phnum);
    }
    if (strings == 0) return 0;

    int count = 0;
    for (int index = 0; index < entryCount && count < limit && entries[index].d_tag != DT_NULL; index++) {
        if (entries[index].d_tag != DT_NEEDED || entries[index].d_un.d_val > UINT32_MAX) continue;
        char *name = names[count].text;
        ssize_t length = pread(file, name, sizeof names[count].text, (off_t)(strings + entries[index].d_un.d_val));
        if (length > 0 && memchr(name, 0, (size_t)length)) count++;
    }
    return count;
}

// Looks for libcurl in the folder of libc. This works on all systems that put their libraries in one folder.
static int openLibcurlFile(void) {
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map = NULL;
    if (!libc || dlinfo(libc, RTLD_DI_LINKMAP, &map) != 0 || !map) return -1;
    const char *slash = strrchr(map->l_name, '/');
    char path[512];
    if (!slash) return -1;
    int length = snprintf(path, sizeof path, "%.*s/libcurl.so.4", (int)(slash - map->l_name), map->l_name);
    return length < (int)sizeof path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

void lc_open_needs_of_libcurl(void) {
    int file = openLibcurlFile();
    if (file < 0) return;
    lc_library_name names[64];
    int count = lc_read_needs(file, names, sizeof names / sizeof *names);
    close(file);
    // Opens the libraries in reverse order, because a linker's command line names a library before the libraries that it needs.
    // The handles stay open, like libcurl's handle.
    for (int index = count - 1; index >= 0; index--) (void)dlopen(names[index].text, RTLD_LAZY | RTLD_LOCAL);
}
