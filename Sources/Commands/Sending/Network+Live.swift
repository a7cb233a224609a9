import Exchange
import Foundation
import Glibc

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Network {
    package static let live = Network(
        transport: { loader in
            switch loader {
            case .curl: URLSessionTransport { Sessions.curl }
            case .foundation: Sessions.sparingHomeFolder { URLSessionTransport.foundation() }
            }
        },
        shortage: Shortage.find, prepare: URLSessionTransport.loadLibrary)
}

/// The session that all requests of our own loader share.
private enum Sessions {
    /// The session has no delegate, so nothing runs on its queue. A queue of its own would take longer to make.
    static let curl = URLSession(
        configuration: sparingHomeFolder { .exchange }, delegate: nil, delegateQueue: .main)

    /// Foundation makes folders for caches and cookies in the home folder with every configuration, however ephemeral.
    ///
    /// Nobody uses its cache, so it is given one of no size in a folder that is there already and takes nothing. The
    /// folder for cookies it looks for where none can be made; the variable that says so is put back at once, for
    /// programs that are started later and for whoever else asks.
    static func sparingHomeFolder<Made>(_ make: () -> Made) -> Made {
        URLCache.shared = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: "/proc")
        let name = "XDG_DATA_HOME"
        let before = getenv(name).map { String(cString: $0) }
        setenv(name, "/dev/null/none", 1)
        defer { if let before { setenv(name, before, 1) } else { unsetenv(name) } }
        return make()
    }
}
