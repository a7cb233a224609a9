// The table of libcurl's functions, shared by this target and CReqcliOverrides.

#ifndef CLIBCURL_LIBRARY_H
#define CLIBCURL_LIBRARY_H

#include "CLibcurl.h"

typedef struct lc_library {
    int (*global_init)(long flags);
    const char *(*version)(void);

    lc_easy *(*easy_init)(void);
    void (*easy_cleanup)(lc_easy *);
    int (*easy_pause)(lc_easy *, int);
    int (*easy_setopt)(lc_easy *, int, ...);
    int (*easy_getinfo)(lc_easy *, int, ...);
    const char *(*easy_strerror)(int);

    lc_multi *(*multi_init)(void);
    int (*multi_setopt)(lc_multi *, int, ...);
    int (*multi_add_handle)(lc_multi *, lc_easy *);
    int (*multi_remove_handle)(lc_multi *, lc_easy *);
    int (*multi_socket_action)(lc_multi *, int, int, int *);
    int (*multi_timeout)(lc_multi *, long *);
    lc_message *(*multi_info_read)(lc_multi *, int *);

    lc_slist *(*slist_append)(lc_slist *, const char *);
    void (*slist_free_all)(lc_slist *);
} lc_library;

/// The functions, loaded on the first call; NULL if libcurl is missing.
const lc_library *lc_functions(void);

/// Two functions that a program may define (CReqcliOverrides does). The first function replaces `curl_global_init`, the second
/// function sets up TLS later. An app defines neither function.
int lc_set_up(void *handle, const lc_library *library);
void lc_set_up_tls_later(void);

/// Opens the libcurl that is shipped with the program; NULL if there is none. CReqcliLibcrypto finds libcrypto in it.
void *lc_open_own(void);

/// Finds any other function of libcurl by name; NULL if libcurl or the function is missing.
void *lc_symbol(const char *name);

#endif
