// Functions with the names of libcurl's functions, for a statically linked FoundationNetworking, which calls them.
//
// These functions have hidden visibility. A statically linked FoundationNetworking finds them, because it is in the same file.
// The dynamic FoundationNetworking does not find them, because they are not exported. It links the real libcurl itself. If these
// functions were exported, they would also receive the calls of the dynamic library.
//
// If libcurl is missing, these functions fail as curl functions do (NULL, or an error code), so that nothing crashes.

#include "library.h"

#include <stdarg.h>

#define FORWARDER __attribute__((visibility("hidden"), used))

enum { failedInit = 2, multiInternalError = 4, urlOutOfMemory = 7 };

// Each of the three variadic functions takes exactly one further argument: a pointer, a long, an offset or a function. Each of
// these types fills one register. So the argument can be read as a pointer, and passing this pointer on makes the same call.

FORWARDER int curl_easy_setopt(lc_easy *easy, int option, ...) {
    const lc_library *curl = lc_functions();
    if (!curl) return failedInit;
    va_list arguments;
    va_start(arguments, option);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return curl->easy_setopt(easy, option, argument);
}

FORWARDER int curl_easy_getinfo(lc_easy *easy, int info, ...) {
    const lc_library *curl = lc_functions();
    if (!curl) return failedInit;
    va_list arguments;
    va_start(arguments, info);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return curl->easy_getinfo(easy, info, argument);
}

FORWARDER int curl_multi_setopt(lc_multi *multi, int option, ...) {
    const lc_library *curl = lc_functions();
    if (!curl) return multiInternalError;
    va_list arguments;
    va_start(arguments, option);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return curl->multi_setopt(multi, option, argument);
}

FORWARDER int curl_global_init(long flags) {
    const lc_library *curl = lc_functions();
    return curl ? curl->global_init(flags) : failedInit;
}

FORWARDER const char *curl_version(void) {
    const lc_library *curl = lc_functions();
    return curl ? curl->version() : "libcurl/missing";
}

FORWARDER lc_easy *curl_easy_init(void) {
    const lc_library *curl = lc_functions();
    return curl ? curl->easy_init() : NULL;
}

FORWARDER void curl_easy_cleanup(lc_easy *easy) {
    const lc_library *curl = lc_functions();
    if (curl) curl->easy_cleanup(easy);
}

FORWARDER int curl_easy_pause(lc_easy *easy, int bits) {
    const lc_library *curl = lc_functions();
    return curl ? curl->easy_pause(easy, bits) : failedInit;
}

FORWARDER const char *curl_easy_strerror(int code) {
    const lc_library *curl = lc_functions();
    return curl ? curl->easy_strerror(code) : "libcurl is missing";
}

FORWARDER lc_multi *curl_multi_init(void) {
    const lc_library *curl = lc_functions();
    return curl ? curl->multi_init() : NULL;
}

FORWARDER int curl_multi_add_handle(lc_multi *multi, lc_easy *easy) {
    const lc_library *curl = lc_functions();
    return curl ? curl->multi_add_handle(multi, easy) : multiInternalError;
}

FORWARDER int curl_multi_remove_handle(lc_multi *multi, lc_easy *easy) {
    const lc_library *curl = lc_functions();
    return curl ? curl->multi_remove_handle(multi, easy) : multiInternalError;
}

FORWARDER lc_message *curl_multi_info_read(lc_multi *multi, int *left) {
    const lc_library *curl = lc_functions();
    *left = 0;
    return curl ? curl->multi_info_read(multi, left) : NULL;
}

FORWARDER lc_slist *curl_slist_append(lc_slist *list, const char *text) {
    const lc_library *curl = lc_functions();
    return curl ? curl->slist_append(list, text) : NULL;
}

FORWARDER void curl_slist_free_all(lc_slist *list) {
    const lc_library *curl = lc_functions();
    if (curl) curl->slist_free_all(list);
}

// Only Foundation uses the remaining functions, so each of them is looked up when it is called.

FORWARDER void curl_free(void *memory) {
    void (*function)(void *) = lc_symbol("curl_free");
    if (function) function(memory);
}

FORWARDER int curl_multi_assign(lc_multi *multi, int socket, void *context) {
    int (*function)(lc_multi *, int, void *) = lc_symbol("curl_multi_assign");
    return function ? function(multi, socket, context) : multiInternalError;
}

FORWARDER int curl_multi_cleanup(lc_multi *multi) {
    int (*function)(lc_multi *) = lc_symbol("curl_multi_cleanup");
    return function ? function(multi) : multiInternalError;
}

FORWARDER int curl_multi_socket_action(lc_multi *multi, int socket, int bits, int *running) {
    const lc_library *curl = lc_functions();
    if (curl) return curl->multi_socket_action(multi, socket, bits, running);
    *running = 0;
    return multiInternalError;
}

FORWARDER void *curl_url(void) {
    void *(*function)(void) = lc_symbol("curl_url");
    return function ? function() : NULL;
}

FORWARDER int curl_url_get(void *url, int part, char **text, unsigned flags) {
    int (*function)(void *, int, char **, unsigned) = lc_symbol("curl_url_get");
    return function ? function(url, part, text, flags) : urlOutOfMemory;
}

FORWARDER int curl_url_set(void *url, int part, const char *text, unsigned flags) {
    int (*function)(void *, int, const char *, unsigned) = lc_symbol("curl_url_set");
    return function ? function(url, part, text, flags) : urlOutOfMemory;
}

FORWARDER void *curl_version_info(int age) {
    // The callers read the fields without checking for NULL, so a missing libcurl is described as one with no version and no
    // features.
    static long nothing[64];
    void *(*function)(int) = lc_symbol("curl_version_info");
    return function ? function(age) : nothing;
}
