/// Public suffixes: domains such as `com` and `co.uk`, below which anyone can register a name. A cookie for such a domain would be
/// sent to the servers of strangers.
package struct PublicSuffixes: Sendable {
    private let lookUp: @Sendable (String) -> Bool?

    /// Your own list, such as a small one for a test.
    ///
    /// - Parameter lookUp: Returns whether a domain in lowercase is a public suffix; nil if this is not known.
    package init(_ lookUp: @escaping @Sendable (_ domain: String) -> Bool?) {
        self.lookUp = lookUp
    }

    /// On Linux, the list of libpsl, which is usually installed with libcurl. Without libpsl, and on other systems, it is not
    /// known which domains are public suffixes.
    package static let system = PublicSuffixes { Platform.isPublicSuffix($0) }

    func contains(_ domain: String) -> Bool? {
        var name = domain[...]
        while name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        return lookUp(String(name))
    }
}
