#include "CLibcrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

// Kinds of keys and controls, as in OpenSSL's headers.
enum { rsaKey = 6, ecKey = 408, rsaPSSKey = 912, ed25519Key = 1087 };
enum { shortestRSA = 2048 };

typedef int (*passphrase_callback)(char *buffer, int size, int isForWriting, void *context);

// The functions with the types that they have in OpenSSL 1.1 and 3.
static struct {
    void *(*BIO_new_mem_buf)(const void *bytes, int count);
    int (*BIO_free)(void *bio);
    void *(*PEM_read_bio_PrivateKey)(void *bio, void **key, passphrase_callback callback, void *context);
    void (*EVP_PKEY_free)(void *key);
    int (*EVP_PKEY_get_id)(const void *key);
    int (*EVP_PKEY_get_bits)(const void *key);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *context);
    const void *(*EVP_get_digestbyname)(const char *name);
    int (*EVP_DigestSignInit)(void *context, void **keyContext, const void *digest, void *engine, void *key);
    int (*EVP_PKEY_CTX_ctrl_str)(void *context, const char *name, const char *value);
    int (*EVP_DigestSign)(void *context, uint8_t *signature, size_t *count, const uint8_t *text, size_t textCount);
    void (*ERR_clear_error)(void);
    // Not in OpenSSL 1.1.
    int (*EVP_PKEY_get_group_name)(const void *key, char *name, size_t size, size_t *count);
} lib;
static bool isComplete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The libcurl that is shipped with the program has a libcrypto inside. This function is NULL in programs without that loader.
#ifdef __linux__
extern void *lc_open_own(void) __attribute__((weak));
#endif

static bool look(void *handle) {
    struct { const char *name, *olderName; void **function; } table[] = {
#define FUNCTION(name, older) {#name, older, (void **)&lib.name}
        FUNCTION(BIO_new_mem_buf, NULL), FUNCTION(BIO_free, NULL), FUNCTION(PEM_read_bio_PrivateKey, NULL),
        FUNCTION(EVP_PKEY_free, NULL), FUNCTION(EVP_PKEY_get_id, "EVP_PKEY_id"),
        FUNCTION(EVP_PKEY_get_bits, "EVP_PKEY_bits"), FUNCTION(EVP_MD_CTX_new, NULL),
        FUNCTION(EVP_MD_CTX_free, NULL), FUNCTION(EVP_get_digestbyname, NULL), FUNCTION(EVP_DigestSignInit, NULL),
        FUNCTION(EVP_PKEY_CTX_ctrl_str, NULL), FUNCTION(EVP_DigestSign, NULL), FUNCTION(ERR_clear_error, NULL),
#undef FUNCTION
    };
    if (!handle) return false;
    for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
        void *found = dlsym(handle, table[index].name);
        if (!found && table[index].olderName) found = dlsym(handle, table[index].olderName);
        if (!found) return false;
        memcpy(table[index].function, &found, sizeof found);
    }
    void *group = dlsym(handle, "EVP_PKEY_get_group_name");
    memcpy(&lib.EVP_PKEY_get_group_name, &group, sizeof group);
    return true;
}

// The system's library, which the distribution keeps secure, before the program's own one.
static void load(void) {
    isComplete = look(dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL)) ||
                 look(dlopen("libcrypto.so.1.1", RTLD_LAZY | RTLD_LOCAL));
#ifdef __linux__
    if (!isComplete && lc_open_own) isComplete = look(lc_open_own());
#endif
}

typedef struct given_passphrase {
    const ck_bytes *text;
    bool wasAsked;
} given_passphrase;

// OpenSSL's own callback would ask at the terminal.
static int passphraseOf(char *buffer, int size, int isForWriting, void *context) {
    (void)isForWriting;
    given_passphrase *given = context;
    given->wasAsked = true;
    if (!given->text || given->text->count > (size_t)size) return -1;
    memcpy(buffer, given->text->start, given->text->count);
    return (int)given->text->count;
}

static ck_kind kindOf(const void *key, int bits) {
    char group[64] = "";
    switch (lib.EVP_PKEY_get_id(key)) {
    case rsaKey: return ck_rsa;
    case rsaPSSKey: return ck_rsa_pss;
    case ed25519Key: return ck_ed25519;
    case ecKey:
        // OpenSSL 1.1 doesn't tell the curve in a simple way: the size must be enough.
        if (lib.EVP_PKEY_get_group_name) (void)lib.EVP_PKEY_get_group_name(key, group, sizeof group, NULL);
        else strcpy(group, bits == 256 ? "prime256v1" : bits == 384 ? "secp384r1" : "");
        return !strcmp(group, "prime256v1") ? ck_p256 : !strcmp(group, "secp384r1") ? ck_p384 : ck_other_ec;
    default: return ck_other;
    }
}

static bool isFit(ck_key key, ck_kind kind, bool usesPSS) {
    if (kind == ck_rsa) return (key.kind == ck_rsa || (usesPSS && key.kind == ck_rsa_pss)) && key.bits >= shortestRSA;
    return key.kind == kind;
}

static ck_result signWith(
    void *key, const char *digest, bool usesPSS, ck_bytes text, uint8_t *signature, size_t *count) {
    void *context = lib.EVP_MD_CTX_new(), *keyContext = NULL;
    const void *hash = digest ? lib.EVP_get_digestbyname(digest) : NULL;
    bool isDone = context && (hash || !digest) && lib.EVP_DigestSignInit(context, &keyContext, hash, NULL, key) == 1 &&
                  (!usesPSS || (lib.EVP_PKEY_CTX_ctrl_str(keyContext, "rsa_padding_mode", "pss") > 0 &&
                                lib.EVP_PKEY_CTX_ctrl_str(keyContext, "rsa_pss_saltlen", "digest") > 0)) &&
                  lib.EVP_DigestSign(context, signature, count, text.start, text.count) == 1;
    lib.EVP_MD_CTX_free(context);
    return isDone ? ck_signed : ck_failed;
}

ck_result ck_sign(
    ck_bytes pem, const ck_bytes *passphrase, ck_kind kind, const char *digest, bool usesPSS, ck_bytes text,
    uint8_t *signature, size_t *count, ck_key *found) {
    pthread_once(&once, load);
    if (!isComplete) return ck_missing_library;
    if (pem.count > INT_MAX) return ck_unreadable_key;
    given_passphrase given = {passphrase, false};
    void *bio = lib.BIO_new_mem_buf(pem.start, (int)pem.count);
    void *key = bio ? lib.PEM_read_bio_PrivateKey(bio, NULL, passphraseOf, &given) : NULL;
    if (bio) lib.BIO_free(bio);
    ck_result result;
    if (key) {
        found->bits = lib.EVP_PKEY_get_bits(key);
        found->kind = kindOf(key, found->bits);
        result = isFit(*found, kind, usesPSS) ? signWith(key, digest, usesPSS, text, signature, count) : ck_unfit_key;
        lib.EVP_PKEY_free(key);
    } else {
        result = !given.wasAsked ? ck_unreadable_key : passphrase ? ck_wrong_passphrase : ck_encrypted_key;
    }
    lib.ERR_clear_error();
    return result;
}
