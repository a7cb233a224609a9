// Functions that the program has in place of those of its libraries. Nobody calls them by name: the linkers find them.
//
// Only the program links this target. An app that uses the library keeps libcurl, OpenSSL, GnuTLS and glibc as they are.
