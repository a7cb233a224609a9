// Decompression by zlib, Brotli and Zstandard, without a link to them: each library is opened by name when the first body asks for it,
// as libcurl is. libcurl depends on those that it supports, so they are installed where it is.
//
// Nothing of their own headers is needed to build this. The interfaces used have not changed since their first releases.

#ifndef CDECODERS_H
#define CDECODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum : uint8_t {
    // RFC 1952
    cd_gzip,
    // RFC 1950
    cd_zlib,
    // RFC 1951: deflate without a head
    cd_raw,
    // RFC 7932
    cd_brotli,
    // RFC 8878
    cd_zstd,
} cd_format;

typedef enum : uint8_t {
    // The output is full, or the input used up.
    cd_more,
    // The format has come to its end; what is left of the input is something else.
    cd_end,
    // The input is not in this format, or was damaged.
    cd_damaged,
} cd_progress;

typedef struct cd_decoder cd_decoder;

// Whether the library for the format is installed.
bool cd_has(cd_format format);

// NULL if the library for the format is not installed, or memory is short. Ended by cd_close.
cd_decoder *cd_open(cd_format format);
void cd_close(cd_decoder *decoder);

// Decompresses as much as there is input and room for; both are moved on by what was used.
cd_progress cd_decode(
    cd_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount);

#endif
