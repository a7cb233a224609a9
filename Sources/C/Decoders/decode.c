#include "CDecoders.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// `z_stream`, as `zlib.h` declares it.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc;
    void *zfree;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

// `ZSTD_inBuffer` and `ZSTD_outBuffer`, as `zstd.h` declares them.
typedef struct {
    const void *bytes;
    size_t size, position;
} zstd_input;
typedef struct {
    void *bytes;
    size_t size, position;
} zstd_output;

enum { noFlush = 0, ok = 0, streamEnd = 1, bufferError = -5, largestWindow = 15, gzipWindow = 16 };
enum { brotliError = 0, brotliDone = 1 };
// `ZSTD_d_windowLogMax`, and the window of 8 MiB that RFC 9659 allows in a Content-Encoding.
enum { zstdWindowLimit = 100, zstdLargestWindow = 23 };

struct cd_decoder {
    cd_format format;
    // zlib keeps a pointer to this struct, so it must not move.
    z_stream zlib;
    // The decoder of Brotli or Zstandard.
    void *other;
};

static struct {
    int (*initialise)(z_stream *, int windowBits, const char *version, int size);
    int (*inflate)(z_stream *, int flush);
    int (*end)(z_stream *);
} zlib;

static struct {
    void *(*create)(void *allocate, void *release, void *context);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *total);
    void (*destroy)(void *);
} brotli;

static struct {
    void *(*create)(void);
    size_t (*setParameter)(void *, int parameter, int value);
    size_t (*decompress)(void *, zstd_output *, zstd_input *);
    unsigned (*isError)(size_t);
    size_t (*destroy)(void *);
} zstd;

static bool has_zlib, has_brotli, has_zstd;

// Finds a function of libcurl, or of a library that libcurl contains. This symbol is NULL unless the program links libcurl
// (`Sources/C/Libcurl`).
extern void *lc_symbol(const char *name);
#pragma weak lc_symbol

static bool find(void *library, const char *name, void *function) {
    void *found = library ? dlsym(library, name) : lc_symbol ? lc_symbol(name) : NULL;
    return (*(void **)function = found);
}

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    has_zlib = find(library, "inflateInit2_", &zlib.initialise) && find(library, "inflate", &zlib.inflate) &&
               find(library, "inflateEnd", &zlib.end);
    library = dlopen("libbrotlidec.so.1", RTLD_LAZY | RTLD_LOCAL);
    has_brotli = find(library, "BrotliDecoderCreateInstance", &brotli.create) &&
                 find(library, "BrotliDecoderDecompressStream", &brotli.decompress) &&
                 find(library, "BrotliDecoderDestroyInstance", &brotli.destroy);
    library = dlopen("libzstd.so.1", RTLD_LAZY | RTLD_LOCAL);
    has_zstd = find(library, "ZSTD_createDStream", &zstd.create) &&
               find(library, "ZSTD_DCtx_setParameter", &zstd.setParameter) &&
               find(library, "ZSTD_decompressStream", &zstd.decompress) &&
               find(library, "ZSTD_isError", &zstd.isError) && find(library, "ZSTD_freeDStream", &zstd.destroy);
}

bool cd_has(cd_format format) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return format == cd_brotli ? has_brotli : format == cd_zstd ? has_zstd : has_zlib;
}

static bool start(cd_decoder *decoder) {
    switch (decoder->format) {
    case cd_brotli: return (decoder->other = brotli.create(NULL, NULL, NULL));
    case cd_zstd:
        decoder->other = zstd.create();
        return decoder->other && !zstd.isError(zstd.setParameter(decoder->other, zstdWindowLimit, zstdLargestWindow));
    // The version is "1" because zlib compares only the first digit of the version.
    case cd_gzip: return zlib.initialise(&decoder->zlib, largestWindow + gzipWindow, "1", sizeof decoder->zlib) == ok;
    case cd_zlib: return zlib.initialise(&decoder->zlib, largestWindow, "1", sizeof decoder->zlib) == ok;
    case cd_raw: return zlib.initialise(&decoder->zlib, -largestWindow, "1", sizeof decoder->zlib) == ok;
    }
    return false;
}

cd_decoder *cd_open(cd_format format) {
    if (!cd_has(format)) return NULL;
    cd_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    if (start(decoder)) return decoder;
    if (format == cd_zstd && decoder->other) zstd.destroy(decoder->other);
    free(decoder);
    return NULL;
}

void cd_close(cd_decoder *decoder) {
    switch (decoder->format) {
    case cd_brotli: brotli.destroy(decoder->other); break;
    case cd_zstd: zstd.destroy(decoder->other); break;
    default: zlib.end(&decoder->zlib);
    }
    free(decoder);
}

static unsigned bounded(size_t count) { return count < UINT_MAX ? (unsigned)count : UINT_MAX; }

static cd_progress inflate(
    z_stream *stream, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount
) {
    stream->next_in = *input;
    stream->avail_in = bounded(*inputCount);
    stream->next_out = *output;
    stream->avail_out = bounded(*outputCount);
    int code = zlib.inflate(stream, noFlush);
    *inputCount -= (size_t)(stream->next_in - *input);
    *outputCount -= (size_t)(stream->next_out - *output);
    *input = stream->next_in;
    *output = stream->next_out;
    if (code == streamEnd) return cd_end;
    return code == ok || code == bufferError ? cd_more : cd_damaged;
}

static cd_progress decode_zstd(
    void *decoder, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount
) {
    zstd_input from = {*input, *inputCount, 0};
    zstd_output to = {*output, *outputCount, 0};
    size_t code = zstd.decompress(decoder, &to, &from);
    *input += from.position;
    *inputCount -= from.position;
    *output += to.position;
    *outputCount -= to.position;
    if (zstd.isError(code)) return cd_damaged;
    return code == 0 ? cd_end : cd_more;
}

cd_progress cd_decode(
    cd_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount
) {
    switch (decoder->format) {
    case cd_brotli: {
        int code = brotli.decompress(decoder->other, inputCount, input, outputCount, output, NULL);
        return code == brotliDone ? cd_end : code == brotliError ? cd_damaged : cd_more;
    }
    case cd_zstd: return decode_zstd(decoder->other, input, inputCount, output, outputCount);
    default: return inflate(&decoder->zlib, input, inputCount, output, outputCount);
    }
}
