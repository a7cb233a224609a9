// zlib's decompression, without a link to zlib: the library is opened by name when the first body asks for it, as libcurl is.
//
// Nothing of zlib's own headers is needed to build this. Its interface (`z_stream`) has not changed since 1995.

#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

typedef enum : uint8_t {
    // RFC 1952
    cz_gzip,
    // RFC 1950
    cz_zlib,
    // RFC 1951: deflate without a head
    cz_raw,
} cz_format;

typedef enum : uint8_t {
    // The output is full, or the input used up.
    cz_more,
    // The format has come to its end; what is left of the input is something else.
    cz_end,
    // The input is not in this format, or was damaged.
    cz_damaged,
} cz_progress;

typedef struct cz_inflater cz_inflater;

// NULL where zlib (libz.so.1) can't be opened, or memory is short. Ended by cz_close.
cz_inflater *cz_open(cz_format format);
void cz_close(cz_inflater *inflater);

// Decompresses as much as there is input and room for; both are moved on by what was used.
cz_progress cz_inflate(
    cz_inflater *inflater, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount);

#endif
