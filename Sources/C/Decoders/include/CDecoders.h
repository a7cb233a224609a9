// Decompression with zlib, Brotli and Zstandard, without linking these libraries. Like libcurl, each library is opened by name
// when the first body needs it. libcurl depends on the libraries that it supports, so they are installed with libcurl.
//
// This code can be built without the headers of these libraries. The interfaces used have not changed since their first releases.

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
    // RFC 1951: deflate without a header
    cd_raw,
    // RFC 7932
    cd_brotli,
    // RFC 8878
    cd_zstd,
} cd_format;

typedef enum : uint8_t {
    // The output is full, or the input is used up.
    cd_more,
    // The compressed data has ended. The rest of the input doesn't belong to this data.
    cd_end,
    // The input is not in this format, or was damaged.
    cd_damaged,
} cd_progress;

typedef struct cd_decoder cd_decoder;

// Whether the library for the format is installed.
bool cd_has(cd_format format);

// Opens a decoder, which must be closed with `cd_close`. NULL if the library for the format is not installed, or there is not
// enough memory.
cd_decoder *cd_open(cd_format format);
void cd_close(cd_decoder *decoder);

// Decompresses as much as the input and the room for output allow. Advances both pointers by the number of bytes used, and
// reduces both counts by this number.
cd_progress cd_decode(
    cd_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount);

#endif
