// Keeps Foundation from reading the folder that the program is in.
//
// URLSession's cookie storage asks for the main bundle's identifier, and for that, Foundation lists the program's folder twice. The
// program is one file and no bundle, and its folder may be a bin/ with thousands of files: that took longer than a small request.
// scripts/build-release.sh has the linker lead the calls here (`--wrap`), and a folder without files is what they find.

void __wrap__CFIterateDirectory(void *path, unsigned char appendsSlashes, void *prefix, void *handler);

void __wrap__CFIterateDirectory(void *path, unsigned char appendsSlashes, void *prefix, void *handler) {
    (void)path;
    (void)appendsSlashes;
    (void)prefix;
    (void)handler;
}
