// Opens the libraries that libcurl needs.

#ifndef CLIBCURL_NEEDS_H
#define CLIBCURL_NEEDS_H

/// Opens the libraries that libcurl needs. Each library is opened before the libraries that need it.
///
/// The dynamic linker looks for each symbol of a library in all libraries that were opened with it. If opening libcurl opens all
/// of them, the linker looks in some thirty libraries for each of ten thousand symbols. If they are opened one by one, the linker
/// looks in only a few libraries. This function only saves time. A library that can't be read or opened here isn't reported:
/// opening libcurl then opens the library or reports the error.
void lc_open_needs_of_libcurl(void);

#endif
