// Sets libcurl up without what a transfer in plain HTTP never looks at.
//
// Whatever it is told, `curl_global_init` has OpenSSL read its configuration and make tables of its algorithms and two
// thousand error messages, and libssh2 ask for the same; GnuTLS, which comes along with LDAP, does it when it is opened. It
// takes as long as the rest of a small request. So the program has functions of the names that are called for it. The
// dynamic linker finds them before those of the libraries, and they put the work off:
//
// - OpenSSL's until the first transfer with TLS, `lc_set_up_tls`. Nothing depends on that: OpenSSL sets itself up, in
//   the same way, where it is used and finds that nobody has.
// - libssh2's until a transfer in SSH asks for it, as libssh2 does itself. There is none.
// - GnuTLS's until those who use it ask for it, as they all do. The function is the one that its manual says a program
//   can have for that.
//
// They are found where the program exports them, as scripts/build-release.sh has it do. Where it doesn't, or where
// libcurl uses other libraries, nothing is put off.

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int OPENSSL_init_ssl(uint64_t options, const void *settings);
EXPORTED int libssh2_init(int flags);
EXPORTED int _gnutls_global_init_skip(void);

// libcurl, among whose libraries the functions are that do the work; NULL before it is open.
static void *_Atomic libcurl;
// Whether this thread is within curl_global_init.
static _Thread_local bool isSettingUp;
// What libcurl asked of OpenSSL then; never 0.
static _Atomic uint64_t optionsPutOff;

// The libraries' own function of this name. NULL while libcurl is only being opened: what is asked for then is asked for
// once more, by the library itself, when it is used.
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
