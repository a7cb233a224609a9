// Keeps a response's head from ending the process, with Foundation's own loader.
//
// Foundation counts on a complete head wherever libcurl reports no error, and on no further line of a head after the body.
// libcurl promises neither: a server may close the connection in the middle of the head, or send trailers. So each line
// passes through here on its way to Foundation: trailers are left out, and a transfer whose head is not complete fails.

#include "heads.h"

#include "CLibcurlConstants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct head {
    lc_easy *easy;
    lc_write_callback function;
    void *context;
    bool isComplete;
    // Whether the lines are those of a 1xx response, after which another head comes.
    bool isInterim;
    struct head *next;
} head;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static head *heads;

// The place where a transfer's head stands in the list; NULL is there for one that has none. To be called under the lock.
static head **find(lc_easy *easy) {
    head **place = &heads;
    while (*place && (*place)->easy != easy) place = &(*place)->next;
    return place;
}

static bool isStatusLine(const char *line, size_t length) { return length > 5 && memcmp(line, "HTTP/", 5) == 0; }

static bool isEmptyLine(const char *line, size_t length) {
    return (length == 1 && line[0] == '\n') || (length == 2 && line[0] == '\r' && line[1] == '\n');
}

static size_t takeLine(char *line, size_t size, size_t count, void *context) {
    head *head = context;
    size_t length = size * count;
    if (isStatusLine(line, length)) {
        const char *status = memchr(line, ' ', length);
        size_t rest = status ? length - (size_t)(status - line) : 0;
        head->isInterim = rest > 3 && status[1] == '1' && memcmp(status + 1, "101", 3) != 0;
        head->isComplete = false;
    } else if (head->isComplete) {
        return length;
    } else if (isEmptyLine(line, length)) {
        head->isComplete = !head->isInterim;
    }
    return head->function ? head->function(line, size, count, head->context) : length;
}

bool lc_watch_heads(const lc_library *curl, lc_easy *easy, int option, void *argument, int *result) {
    if (option != LC_CURLOPT_HEADERFUNCTION && option != LC_CURLOPT_HEADERDATA) return false;
    pthread_mutex_lock(&lock);
    head **place = find(easy);
    if (!*place && (*place = calloc(1, sizeof **place))) (*place)->easy = easy;
    head *head = *place;
    pthread_mutex_unlock(&lock);
    if (!head) return false;
    if (option == LC_CURLOPT_HEADERDATA) {
        head->context = argument;
    } else {
        head->function = (lc_write_callback)argument;
    }
    *result = curl->easy_setopt(easy, LC_CURLOPT_HEADERDATA, head);
    if (*result == 0) *result = curl->easy_setopt(easy, LC_CURLOPT_HEADERFUNCTION, takeLine);
    return true;
}

int lc_result_of_head(lc_easy *easy, int result) {
    pthread_mutex_lock(&lock);
    head *head = *find(easy);
    pthread_mutex_unlock(&lock);
    if (!head) return result;
    bool isComplete = head->isComplete;
    // The next transfer has a head of its own.
    head->isComplete = false;
    return result == 0 && !isComplete ? LC_CURLE_PARTIAL_FILE : result;
}

void lc_forget_head(lc_easy *easy) {
    pthread_mutex_lock(&lock);
    head **place = find(easy);
    head *head = *place;
    if (head) *place = head->next;
    pthread_mutex_unlock(&lock);
    free(head);
}
