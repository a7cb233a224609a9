#if canImport(FoundationNetworking)
    import FoundationNetworking
    import Glibc
#endif

/// Folders that Foundation makes in the user's home, for a cookie file and a cache, when the first session is made,
/// however ephemeral that is.
public enum FoundationFolders {
    /// Keeps Foundation from making them, for a program that leaves nothing behind.
    ///
    /// To be called once, at the beginning, while the process has a single thread: for a moment two variables of the
    /// environment lead nowhere. Elsewhere than on Linux it does nothing.
    public static func prevent() {
        #if canImport(FoundationNetworking)
            let names = ["XDG_DATA_HOME", "XDG_CACHE_HOME"]
            let values = names.map { getenv($0).map { String(cString: $0) } }
            for name in names { setenv(name, "/dev/null/none", 1) }
            _ = URLSessionConfiguration.default
            for (name, value) in zip(names, values) {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        #endif
    }
}
