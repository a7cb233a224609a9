// Functions that the program defines in place of functions of its libraries. No code calls them by these names: the linkers
// redirect calls to them.
//
// Only the program links this target. An app that uses the library keeps the original functions of libcurl, OpenSSL, GnuTLS and
// glibc.
