// Sets libcurl up without the work that a transfer in plain HTTP doesn't need.
//
// No matter which flags it is called with, `curl_global_init` makes OpenSSL read its configuration and build tables of its
// algorithms and two thousand error messages, and makes libssh2 ask OpenSSL for the same. GnuTLS, which is loaded together with
// LDAP, does similar work when it is opened. This takes as long as the rest of a small request. So the program defines functions
// with the names that are called for this work. The dynamic linker finds these functions before the functions of the libraries,
// and these functions put the work off:
//
// - The work of OpenSSL is put off until `lc_set_up_tls` is called, before the first transfer with TLS. Nothing depends on this
//   call, because OpenSSL sets itself up in the same way when it is used and isn't set up yet.
// - The work of libssh2 is put off until a transfer over SSH needs it. Then libssh2 sets itself up. The program makes no such
//   transfer.
// - The work of GnuTLS is put off until the code that uses GnuTLS asks for it, as all such code does. According to GnuTLS's
//   manual, a program can define `_gnutls_global_init_skip` for this purpose.
//
// The dynamic linker finds these functions only if the program exports them, as in builds of scripts/build-release.sh. If the
// program doesn't export them, or if libcurl uses other libraries, nothing is put off.

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int OPENSSL_init_ssl(uint64_t options, const void *settings);
EXPORTED int libssh2_init(int flags);
EXPORTED int _gnutls_global_init_skip(void);

// The handle of libcurl, through which the real functions in its libraries are found; NULL before libcurl is open.
static void *_Atomic libcurl;
// Whether this thread is within curl_global_init.
static _Thread_local bool isSettingUp;
// The options that libcurl passed to `OPENSSL_init_ssl` during its setup. libcurl never passes 0, so 0 means that nothing was put
// off.
static _Atomic uint64_t optionsPutOff;

// The function of this name in the real libraries. NULL while libcurl is still being opened: a library that is set up at that
// moment sets itself up again when it is used.
static void *real(const char *name) {
    void *handle = atomic_load(&libcurl);
    return handle ? dlsym(handle, name) : NULL;
}

int OPENSSL_init_ssl(uint64_t options, const void *settings) {
    if (isSettingUp && !settings) {
        atomic_store(&optionsPutOff, options);
        return 1;
    }
    int (*function)(uint64_t, const void *) = real("OPENSSL_init_ssl");
    return function ? function(options, settings) : 1;
}

int libssh2_init(int flags) {
    if (isSettingUp) return 0;
    int (*function)(int) = real("libssh2_init");
    return function ? function(flags) : 0;
}

int _gnutls_global_init_skip(void) { return 1; }

int lc_set_up(void *handle, const lc_library *library) {
    atomic_store(&libcurl, handle);
    isSettingUp = true;
    // CURL_GLOBAL_DEFAULT
    int result = library->global_init(3);
    isSettingUp = false;
    return result;
}

static void setUpOpenSSL(void) {
    uint64_t options = atomic_load(&optionsPutOff);
    if (options != 0) (void)OPENSSL_init_ssl(options, NULL);
}

void lc_set_up_tls_later(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, setUpOpenSSL);
}
