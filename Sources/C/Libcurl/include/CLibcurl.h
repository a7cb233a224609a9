// An interface to libcurl, which is loaded on first use.
//
// This interface needs neither curl's headers nor a libcurl to link with. The library is opened by name when the first transfer
// needs it, and its functions are looked up by name. The numbers are from libcurl's stable ABI. If curl's headers are installed,
// `Tests/libcurl/compare-abi.sh` compares the numbers with them.
//
// This header doesn't declare libcurl's own names (`curl_easy_setopt` and so on), so that they can't be called by mistake.
// CReqcliOverrides defines functions with these names for the program, whose FoundationNetworking is linked statically.

#ifndef CLIBCURL_H
#define CLIBCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: - Loading

/// Loads libcurl on the first call; true if libcurl is available. Safe to call from any thread.
bool lc_load(void);

/// The dynamic linker's message about the failure of `lc_load`; NULL if `lc_load` hasn't failed.
const char *_Nullable lc_load_error(void);

/// A library's name, such as `libssl.so.3`.
typedef struct lc_library_name {
    char text[128];
} lc_library_name;

/// Reads from a library's file the names of the libraries that it needs, and returns their number. Returns 0 if the file isn't a
/// library for this machine, whatever the file contains.
int lc_read_needs(int file, lc_library_name *_Nonnull names, int limit);

// MARK: - Types

typedef struct lc_easy lc_easy;
typedef struct lc_multi lc_multi;

typedef struct lc_slist {
    char *_Nullable data;
    struct lc_slist *_Nullable next;
} lc_slist;

/// A message about a transfer that has ended: libcurl's `CURLMsg`.
typedef struct lc_message {
    int kind;
    lc_easy *_Nullable easy;
    union {
        void *_Nullable whatever;
        int result;
    } data;
} lc_message;

typedef size_t (*lc_write_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef size_t (*lc_read_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*lc_seek_callback)(void *_Nullable context, int64_t offset, int origin);
typedef int (*lc_debug_callback)(
    lc_easy *_Nonnull easy, int kind, char *_Nullable text, size_t size, void *_Nullable context);
typedef int (*lc_prerequest_callback)(
    void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remotePort, int localPort);

typedef int (*lc_socket_callback)(
    lc_easy *_Nullable easy, int socket, int interest, void *_Nullable context, void *_Nullable socketContext);
typedef int (*lc_timer_callback)(lc_multi *_Nonnull multi, long milliseconds, void *_Nullable context);

// MARK: - Functions (call only after `lc_load` has returned true)

/// Sets up TLS if `lc_load` postponed it. Call this before a transfer that uses TLS. It may be called from any thread, any number
/// of times.
void lc_set_up_tls(void);

lc_easy *_Nullable lc_easy_init(void);
void lc_easy_cleanup(lc_easy *_Nonnull easy);
int lc_easy_pause(lc_easy *_Nonnull easy, long bits);
const char *_Nonnull lc_easy_strerror(int code);

int lc_set_long(lc_easy *_Nonnull easy, long option, long value);
int lc_set_offset(lc_easy *_Nonnull easy, long option, int64_t value);
int lc_set_string(lc_easy *_Nonnull easy, long option, const char *_Nullable value);
int lc_set_list(lc_easy *_Nonnull easy, long option, lc_slist *_Nullable value);
int lc_set_pointer(lc_easy *_Nonnull easy, long option, void *_Nullable value);
int lc_set_write(lc_easy *_Nonnull easy, long option, lc_write_callback _Nullable value);
int lc_set_read(lc_easy *_Nonnull easy, long option, lc_read_callback _Nullable value);
int lc_set_seek(lc_easy *_Nonnull easy, long option, lc_seek_callback _Nullable value);
int lc_set_prerequest(lc_easy *_Nonnull easy, long option, lc_prerequest_callback _Nullable value);
int lc_set_debug(lc_easy *_Nonnull easy, long option, lc_debug_callback _Nullable value);

/// Marks the transfer's sockets as close-on-exec. Otherwise, programs that the process starts meanwhile would inherit the sockets
/// and keep them open. Writes the number of each socket that is opened for this transfer to `socket`.
void lc_close_on_exec(lc_easy *_Nonnull easy, int *_Nonnull socket);

int lc_get_long(lc_easy *_Nonnull easy, long info, long *_Nonnull value);
int lc_get_offset(lc_easy *_Nonnull easy, long info, int64_t *_Nonnull value);
int lc_get_string(lc_easy *_Nonnull easy, long info, const char *_Nullable *_Nonnull value);
int lc_get_pointer(lc_easy *_Nonnull easy, long info, void *_Nullable *_Nonnull value);

lc_multi *_Nullable lc_multi_init(void);
int lc_multi_set_long(lc_multi *_Nonnull multi, long option, long value);
int lc_multi_add_handle(lc_multi *_Nonnull multi, lc_easy *_Nonnull easy);
int lc_multi_remove_handle(lc_multi *_Nonnull multi, lc_easy *_Nonnull easy);
int lc_multi_set_socket_callback(
    lc_multi *_Nonnull multi, lc_socket_callback _Nonnull value, void *_Nullable context);
int lc_multi_set_timer_callback(lc_multi *_Nonnull multi, lc_timer_callback _Nonnull value, void *_Nullable context);
int lc_multi_socket_action(lc_multi *_Nonnull multi, int socket, int bits, int *_Nonnull running);
int lc_multi_timeout(lc_multi *_Nonnull multi, long *_Nonnull milliseconds);
lc_message *_Nullable lc_multi_info_read(lc_multi *_Nonnull multi, int *_Nonnull left);

lc_slist *_Nullable lc_slist_append(lc_slist *_Nullable list, const char *_Nonnull text);
void lc_slist_free_all(lc_slist *_Nullable list);

/// The path of the libcurl file that is used; NULL if it isn't known.
const char *_Nullable lc_path(void);

/// The version that libcurl reports, such as "libcurl/7.88.1 OpenSSL/3.0.15 …".
const char *_Nonnull lc_version(void);

// MARK: - Public suffixes

typedef enum lc_suffix {
    /// Not known, because libpsl, which contains the list, is missing.
    lc_suffix_unknown,
    lc_suffix_public,
    lc_suffix_private,
} lc_suffix;

/// Whether the domain is a public suffix, such as `com` or `co.uk`: any person can register a name directly below it. The domain
/// must be in lower case and have no dot at its end. `lc_load` need not be called before; safe to call from any thread.
lc_suffix lc_is_public_suffix(const char *_Nonnull domain);

// MARK: - Threads and queues, beyond what Foundation offers

/// Names the calling thread, for debuggers and `top`. The name has at most 15 bytes.
void lc_name_current_thread(const char *_Nonnull name);

/// Makes all threads share one heap. Otherwise malloc takes 64 MiB of address space for each thread.
void lc_share_heap(void);

/// The queue that the caller runs on, retained. libdispatch exports a function for this queue, but its Swift overlay does not.
void *_Nonnull lc_retain_current_queue(void);
void lc_release_queue(void *_Nonnull queue);
void lc_queue_async(void *_Nonnull queue, void *_Nonnull context, void (*_Nonnull work)(void *_Nonnull context));

#include "CLibcurlConstants.h"

#endif
