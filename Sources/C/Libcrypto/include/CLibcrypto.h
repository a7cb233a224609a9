// Signatures with private keys, by OpenSSL's libcrypto, which is loaded on first use.
//
// As for libcurl, neither headers nor a library to link with are needed: about a dozen functions of libcrypto's stable ABI are looked
// up by name.

#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ck_result {
    ck_signed = 0,
    /// The system has no libcrypto.
    ck_missing_library,
    /// The key is no private key in PEM.
    ck_unreadable_key,
    /// The key is encrypted, and there is no passphrase.
    ck_encrypted_key,
    /// The key can't be decrypted with the passphrase.
    ck_wrong_passphrase,
    /// The key is of another kind, or too short. `ck_key` tells which.
    ck_unfit_key,
    /// libcrypto can't sign, such as with a key that is forbidden by the system's rules.
    ck_failed,
} ck_result;

typedef enum ck_kind { ck_other, ck_rsa, ck_rsa_pss, ck_p256, ck_p384, ck_ed25519, ck_other_ec } ck_kind;

typedef struct ck_key {
    ck_kind kind;
    int bits;
} ck_key;

typedef struct ck_bytes {
    const uint8_t *_Nonnull start;
    size_t count;
} ck_bytes;

/// Signs a text.
///
/// @param pem The private key.
/// @param passphrase The passphrase of an encrypted key; NULL without one. Nothing is ever asked at the terminal.
/// @param kind The kind of key that the algorithm needs.
/// @param digest The name of the hash; NULL for Ed25519, which has its own.
/// @param usesPSS Whether RSA signs with PSS, with a salt as long as the hash.
/// @param signature Gets the signature. An ECDSA signature is in DER.
/// @param count The space for the signature; gets its length.
/// @param found Gets what the key is, if it could be read.
ck_result ck_sign(
    ck_bytes pem, const ck_bytes *_Nullable passphrase, ck_kind kind, const char *_Nullable digest, bool usesPSS,
    ck_bytes text, uint8_t *_Nonnull signature, size_t *_Nonnull count, ck_key *_Nonnull found);

#endif
