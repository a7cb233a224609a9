#include "CZlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// `z_stream`, as zlib.h has it.
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
} stream;

enum { noFlush = 0, ok = 0, streamEnd = 1, bufferError = -5, largestWindow = 15, gzipWindow = 16 };

struct cz_inflater {
    // zlib remembers the address.
    stream stream;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int (*initialise)(stream *, int windowBits, const char *version, int size);
static int (*inflate)(stream *, int flush);
static int (*end)(stream *);

static void load(void) {
    void *handle = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return;
    inflate = dlsym(handle, "inflate");
    end = dlsym(handle, "inflateEnd");
    if (inflate && end) initialise = dlsym(handle, "inflateInit2_");
}

cz_inflater *cz_open(cz_format format) {
    pthread_once(&once, load);
    if (!initialise) return NULL;
    cz_inflater *inflater = calloc(1, sizeof *inflater);
    if (!inflater) return NULL;
    int windowBits = format == cz_gzip ? largestWindow + gzipWindow : format == cz_raw ? -largestWindow : largestWindow;
    // Of the version zlib compares the first digit.
    if (initialise(&inflater->stream, windowBits, "1", sizeof inflater->stream) == ok) return inflater;
    free(inflater);
    return NULL;
}

void cz_close(cz_inflater *inflater) {
    end(&inflater->stream);
    free(inflater);
}

static unsigned bounded(size_t count) { return count < UINT_MAX ? (unsigned)count : UINT_MAX; }

cz_progress cz_inflate(
    cz_inflater *inflater, const uint8_t **input, size_t *inputCount, uint8_t **output, size_t *outputCount
) {
    stream *stream = &inflater->stream;
    stream->next_in = *input;
    stream->avail_in = bounded(*inputCount);
    stream->next_out = *output;
    stream->avail_out = bounded(*outputCount);
    int code = inflate(stream, noFlush);
    *inputCount -= (size_t)(stream->next_in - *input);
    *outputCount -= (size_t)(stream->next_out - *output);
    *input = stream->next_in;
    *output = stream->next_out;
    if (code == streamEnd) return cz_end;
    return code == ok || code == bufferError ? cz_more : cz_damaged;
}
