// Heads of responses on their way to Foundation's own loader.

#ifndef CLIBCURL_HEADS_H
#define CLIBCURL_HEADS_H

#include "library.h"

/// Takes the place of `curl_easy_setopt` for the two options that say where the lines of a head go; false for any other.
bool lc_watch_heads(const lc_library *curl, lc_easy *easy, int option, void *argument, int *result);

/// What a transfer that libcurl calls done came to: an error if its head isn't complete.
int lc_result_of_head(lc_easy *easy, int result);

/// Forgets a transfer that is about to be freed.
void lc_forget_head(lc_easy *easy);

#endif
