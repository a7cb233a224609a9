// Keeps Foundation from reading the folder that the program is in.
//
// URLSession's cookie storage asks for the main bundle's identifier. To find it, Foundation lists the program's folder twice. The
// program is a single file, not a bundle, and its folder may be a bin/ with thousands of files: listing them took longer than a
// small request. scripts/build-release.sh makes the linker redirect the calls to this function (`--wrap`), which reports no
// files.

void __wrap__CFIterateDirectory(void *path, unsigned char appendsSlashes, void *prefix, void *handler);

void __wrap__CFIterateDirectory(void *path, unsigned char appendsSlashes, void *prefix, void *handler) {
    (void)path;
    (void)appendsSlashes;
    (void)prefix;
    (void)handler;
}
