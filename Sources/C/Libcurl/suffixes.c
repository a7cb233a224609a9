// Public suffixes, from libpsl. curl is usually linked with libpsl, so libpsl is installed with libcurl.
//
// libpsl is opened by name when the first cookie needs it, and its functions are looked up by name: see library.c.

#include "CLibcurl.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// NULL if libpsl is missing or has no list.
static const void *list;
static int (*isPublicSuffix)(const void *list, const char *domain);

static void load(void) {
    void *handle = dlopen("libpsl.so.5", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return;
    isPublicSuffix = dlsym(handle, "psl_is_public_suffix");
    const void *(*builtin)(void) = dlsym(handle, "psl_builtin");
    void *(*latest)(const char *) = dlsym(handle, "psl_latest");
    if (!isPublicSuffix) return;
    if (builtin) list = builtin();
    // A libpsl that was built without a list reads the list from a file.
    if (!list && latest) list = latest(NULL);
}

lc_suffix lc_is_public_suffix(const char *domain) {
    pthread_once(&once, load);
    if (!list) return lc_suffix_unknown;
    return isPublicSuffix(list, domain) ? lc_suffix_public : lc_suffix_private;
}
