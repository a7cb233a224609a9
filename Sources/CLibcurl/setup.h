// Setting libcurl up.

#ifndef CLIBCURL_SETUP_H
#define CLIBCURL_SETUP_H

#include "library.h"

/// Sets libcurl up as its `curl_global_init` does, but for what only some transfers need. Returns its result.
int lc_set_up(void *handle, const lc_library *library);

#endif
