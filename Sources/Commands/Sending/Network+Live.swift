import Exchange
import Foundation
import Glibc

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Network {
    package static let live = Network(
        transport: { options, loader in
            switch loader {
            case .curl: URLSessionTransport(session: Sessions.curl, options: options)
            case .foundation: Sessions.sparingHomeFolder { URLSessionTransport.foundation(options: options) }
            }
        },
        prepare: { loader in
            if loader == .curl { _ = Sessions.curlConfiguration }
        },
        elapsed: { ContinuousClock.Instant.start.duration(to: .now) },
        sleep: { try await Task.sleep(for: $0) })
}

extension ContinuousClock.Instant {
    /// When the program first asked for the time.
    fileprivate static let start = ContinuousClock.now
}

/// One session for our own loader, whatever is sent.
private enum Sessions {
    /// Made ahead of its session, which waits for libcurl.
    static let curlConfiguration = sparingHomeFolder {
        // Opening libcurl takes longer than all else together: it goes on while the request is found out.
        LibcurlProtocol.beginLoading()
        return URLSessionConfiguration.exchange
    }
    static let curl = URLSession(configuration: curlConfiguration)

    /// Foundation makes folders for caches and cookies in the home folder with every configuration, however ephemeral:
    /// here it looks for them where none can be made.
    ///
    /// The variables are put back at once, for programs that are started later and for whoever else asks. What is read
    /// meanwhile by libcurl, as it is opened, is safe: they were added before, and what is put back moves no other.
    static func sparingHomeFolder<Made>(_ make: () -> Made) -> Made {
        let names = ["XDG_DATA_HOME", "XDG_CACHE_HOME"]
        let before = names.map { name in getenv(name).map { String(cString: $0) } }
        for name in names { setenv(name, "/dev/null/none", 1) }
        defer {
            for (name, value) in zip(names, before) {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        return make()
    }
}
