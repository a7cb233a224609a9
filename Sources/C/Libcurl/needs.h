// Opens the libraries that libcurl needs.

#ifndef CLIBCURL_NEEDS_H
#define CLIBCURL_NEEDS_H

/// Opens the libraries that libcurl needs, each one before the libraries that need it.
///
/// The dynamic linker looks for each symbol of a library in all libraries that were opened with it. If opening libcurl
/// opens them all, the linker looks in some thirty libraries for each of ten thousand symbols; if they are opened like
/// this, it looks in a few. This only saves time: a library that can't be read or opened here isn't reported, and
/// opening libcurl then opens it or gives the error.
void lc_open_needs_of_libcurl(void);

#endif
