// Opens libcurl and finds its functions.
//
// The handle is private (RTLD_LOCAL), and every function is looked up with this handle, never by the linker. It therefore doesn't
// matter which other `curl_easy_setopt` the process has. Neither our forwarders nor a libcurl that the program is linked with can
// be called instead, and no forwarder can call itself.

// For pthread_setname_np
#define _GNU_SOURCE

#include "library.h"

#include "needs.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *handle;
static lc_library library;
static atomic_bool isLoaded;
static char failure[256];

// These functions are NULL unless the program links CReqcliOverrides.
#pragma weak lc_set_up
#pragma weak lc_set_up_tls_later

static void *find(const char *name) {
    void *symbol = dlsym(handle, name);
    if (!symbol && !failure[0]) snprintf(failure, sizeof failure, "libcurl.so.4 has no %s: it is too old", name);
    return symbol;
}

// Binds functions lazily, like the linked curl program. Binding all functions of some twenty libraries would take longer than
// using only a few of them.
static void *openLibrary(const char *path) { return dlopen(path, RTLD_LAZY | RTLD_LOCAL); }

// Whether a libcurl has every feature that requests can use. An older libcurl is used only if there is no other.
//
// The check looks for an option that was added in 7.87, a version that no distribution has kept. Asking for the version itself
// would bind functions of all libraries that libcurl needs, which would take a tenth of the time of a small request.
static bool isRecent(void *library) {
    const void *(*option)(int) = dlsym(library, "curl_easy_option_by_id");
    return option && option(LC_CURLOPT_QUICK_EXIT) != NULL;
}

// Opens the libcurl that is shipped with the program. It is in `lib/reqcli` next to the program in an unpacked archive, or one
// folder higher if the program is in `bin/`.
void *lc_open_own(void) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || length >= (ssize_t)sizeof program) return NULL;
    for (int level = 0; level < 2; level++) {
        while (length > 0 && program[length - 1] != '/') length--;
        if (length == 0) return NULL;
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%.*slib/reqcli/libcurl.so.4", (int)length, program);
        void *own = access(path, R_OK) == 0 ? openLibrary(path) : NULL;
        if (own) return own;
        length--;
    }
    return NULL;
}

// Opens the libcurl that the user names. Otherwise opens the first libcurl that exists of these: a recent one of the system,
// which the distribution keeps secure; the program's own one; an old one of the system.
static void *openAny(void) {
    const char *named = getenv("REQCLI_LIBCURL");
    if (named && *named) return openLibrary(named);
    lc_open_needs_of_libcurl();
    void *system = openLibrary("libcurl.so.4");
    if (system && isRecent(system)) return system;
    void *own = lc_open_own();
    if (own || system) return own ? own : system;
    // Tries again, so that `dlerror` gives the reason.
    return openLibrary("libcurl.so.4");
}

static void load(void) {
    handle = openAny();
    if (!handle) {
        const char *reason = dlerror(), *named = getenv("REQCLI_LIBCURL");
        snprintf(failure, sizeof failure, "%s%s", named && *named ? "REQCLI_LIBCURL: " : "",
                 reason ? reason : "libcurl.so.4 can't be opened");
        return;
    }
    library.global_init = find("curl_global_init");
    library.version = find("curl_version");
    library.easy_init = find("curl_easy_init");
    library.easy_cleanup = find("curl_easy_cleanup");
    library.easy_pause = find("curl_easy_pause");
    library.easy_setopt = find("curl_easy_setopt");
    library.easy_getinfo = find("curl_easy_getinfo");
    library.easy_strerror = find("curl_easy_strerror");
    library.multi_init = find("curl_multi_init");
    library.multi_setopt = find("curl_multi_setopt");
    library.multi_add_handle = find("curl_multi_add_handle");
    library.multi_remove_handle = find("curl_multi_remove_handle");
    library.multi_socket_action = find("curl_multi_socket_action");
    library.multi_timeout = find("curl_multi_timeout");
    library.multi_info_read = find("curl_multi_info_read");
    library.slist_append = find("curl_slist_append");
    library.slist_free_all = find("curl_slist_free_all");
    if (failure[0]) return;
    // CURL_GLOBAL_DEFAULT
    if ((lc_set_up ? lc_set_up(handle, &library) : library.global_init(3)) != 0) {
        snprintf(failure, sizeof failure, "curl_global_init failed");
        return;
    }
    atomic_store(&isLoaded, true);
}

const lc_library *lc_functions(void) {
    pthread_once(&once, load);
    return atomic_load(&isLoaded) ? &library : NULL;
}

void *lc_symbol(const char *name) {
    return lc_functions() ? dlsym(handle, name) : NULL;
}

bool lc_load(void) { return lc_functions() != NULL; }

const char *lc_path(void) {
    struct link_map *map = NULL;
    if (!lc_functions() || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return NULL;
    return map->l_name;
}

static void *loadOnThread(void *nothing) {
    lc_functions();
    return nothing;
}

void lc_begin_loading(void) {
    static atomic_flag hasBegun = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&hasBegun)) return;
    pthread_t thread;
    if (pthread_create(&thread, NULL, loadOnThread, NULL) == 0) pthread_detach(thread);
}

const char *lc_load_error(void) { return failure[0] ? failure : NULL; }

void lc_set_up_tls(void) {
    if (lc_set_up_tls_later) lc_set_up_tls_later();
}

// MARK: - Calls through the table

lc_easy *lc_easy_init(void) { return library.easy_init(); }
void lc_easy_cleanup(lc_easy *easy) { library.easy_cleanup(easy); }
int lc_easy_pause(lc_easy *easy, long bits) { return library.easy_pause(easy, (int)bits); }
const char *lc_easy_strerror(int code) { return library.easy_strerror(code); }

int lc_set_long(lc_easy *easy, long option, long value) { return library.easy_setopt(easy, (int)option, value); }
int lc_set_offset(lc_easy *easy, long option, int64_t value) { return library.easy_setopt(easy, (int)option, value); }
int lc_set_string(lc_easy *easy, long option, const char *value) { return library.easy_setopt(easy, (int)option, value); }
int lc_set_list(lc_easy *easy, long option, lc_slist *value) { return library.easy_setopt(easy, (int)option, value); }
int lc_set_pointer(lc_easy *easy, long option, void *value) { return library.easy_setopt(easy, (int)option, value); }
int lc_set_write(lc_easy *easy, long option, lc_write_callback value) {
    return library.easy_setopt(easy, (int)option, value);
}
int lc_set_read(lc_easy *easy, long option, lc_read_callback value) {
    return library.easy_setopt(easy, (int)option, value);
}
int lc_set_seek(lc_easy *easy, long option, lc_seek_callback value) {
    return library.easy_setopt(easy, (int)option, value);
}
int lc_set_prerequest(lc_easy *easy, long option, lc_prerequest_callback value) {
    return library.easy_setopt(easy, (int)option, value);
}
int lc_set_debug(lc_easy *easy, long option, lc_debug_callback value) {
    return library.easy_setopt(easy, (int)option, value);
}

static int markSocket(void *context, int socket, int purpose) {
    (void)purpose;
    *(int *)context = socket;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    return LC_CURL_SOCKOPT_OK;
}

void lc_close_on_exec(lc_easy *easy, int *socket) {
    library.easy_setopt(easy, LC_CURLOPT_SOCKOPTDATA, socket);
    library.easy_setopt(easy, LC_CURLOPT_SOCKOPTFUNCTION, markSocket);
}

int lc_get_long(lc_easy *easy, long info, long *value) { return library.easy_getinfo(easy, (int)info, value); }
int lc_get_offset(lc_easy *easy, long info, int64_t *value) { return library.easy_getinfo(easy, (int)info, value); }
int lc_get_string(lc_easy *easy, long info, const char **value) { return library.easy_getinfo(easy, (int)info, value); }
int lc_get_pointer(lc_easy *easy, long info, void **value) { return library.easy_getinfo(easy, (int)info, value); }

lc_multi *lc_multi_init(void) { return library.multi_init(); }
int lc_multi_set_long(lc_multi *multi, long option, long value) { return library.multi_setopt(multi, (int)option, value); }
int lc_multi_add_handle(lc_multi *multi, lc_easy *easy) { return library.multi_add_handle(multi, easy); }
int lc_multi_remove_handle(lc_multi *multi, lc_easy *easy) { return library.multi_remove_handle(multi, easy); }
int lc_multi_set_socket_callback(lc_multi *multi, lc_socket_callback value, void *context) {
    library.multi_setopt(multi, LC_CURLMOPT_SOCKETDATA, context);
    return library.multi_setopt(multi, LC_CURLMOPT_SOCKETFUNCTION, value);
}
int lc_multi_set_timer_callback(lc_multi *multi, lc_timer_callback value, void *context) {
    library.multi_setopt(multi, LC_CURLMOPT_TIMERDATA, context);
    return library.multi_setopt(multi, LC_CURLMOPT_TIMERFUNCTION, value);
}
int lc_multi_socket_action(lc_multi *multi, int socket, int bits, int *running) {
    return library.multi_socket_action(multi, socket, bits, running);
}
int lc_multi_timeout(lc_multi *multi, long *milliseconds) { return library.multi_timeout(multi, milliseconds); }
lc_message *lc_multi_info_read(lc_multi *multi, int *left) { return library.multi_info_read(multi, left); }

lc_slist *lc_slist_append(lc_slist *list, const char *text) { return library.slist_append(list, text); }
void lc_slist_free_all(lc_slist *list) { library.slist_free_all(list); }
const char *lc_version(void) { return library.version(); }

// MARK: - Threads and queues

void lc_name_current_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void lc_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

extern void *dispatch_get_current_queue(void);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *context));

void *lc_retain_current_queue(void) {
    void *queue = dispatch_get_current_queue();
    dispatch_retain(queue);
    return queue;
}

void lc_release_queue(void *queue) { dispatch_release(queue); }

void lc_queue_async(void *queue, void *context, void (*work)(void *context)) { dispatch_async_f(queue, context, work); }
