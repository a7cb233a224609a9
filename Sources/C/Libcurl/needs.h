// The libraries that a library needs.

#ifndef CLIBCURL_NEEDS_H
#define CLIBCURL_NEEDS_H

/// Opens what libcurl needs, each library before those that need it.
///
/// The dynamic linker looks for each symbol of a library in all libraries that were opened with it. Opened by
/// libcurl alone that is some thirty for each of ten thousand symbols; opened like this it is a few. It is no more
/// than that: where something can't be read or opened, nothing is said, and libcurl opens it, or says why it can't.
void lc_open_needs_of_libcurl(void);

#endif
