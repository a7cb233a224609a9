/// Domains directly below which anybody can register a name, such as `com` and `co.uk`: a cookie for one of them would go to
/// strangers.
public struct PublicSuffixes: Sendable {
    private let lookUp: @Sendable (String) -> Bool?

    /// A list of your own; a test gives a small one.
    ///
    /// - Parameter lookUp: True for a public suffix, nil if that can't be known. The domain is in lower case.
    public init(_ lookUp: @escaping @Sendable (_ domain: String) -> Bool?) {
        self.lookUp = lookUp
    }

    /// The list of libpsl on Linux, where it is mostly installed together with libcurl; without it nothing is known.
    public static let system = PublicSuffixes { Platform.isPublicSuffix($0) }

    func contains(_ domain: String) -> Bool? {
        var name = domain[...]
        while name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        return lookUp(String(name))
    }
}
