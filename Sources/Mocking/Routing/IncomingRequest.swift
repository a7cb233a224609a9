import ASCII
import RequestBuilding

/// A request as it arrived, taken apart for comparing: everything in its target is percent-decoded.
package struct IncomingRequest: Sendable {
    package let method: String
    /// The path as it came.
    package let path: String
    /// The segments between its slashes, decoded one by one, so that `%2F` stays inside one.
    package let segments: [String]
    package let query: [Field]
    /// The query as it came.
    let rawQuery: String?
    package let headers: [Field]
    package var body: [UInt8]
    /// The session of whose choices and turns it gets its answer.
    package var session = standardSession
    /// The host and port that it is for, in lowercase.
    package var host: String?

    /// A name with its value.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameters:
    ///   - path: The path of the target, as it came.
    ///   - query: What follows the question mark, as it came.
    package init(method: String, path: String, query: String?, headers: [Field], body: [UInt8]) {
        self.method = method
        self.path = path
        segments = Self.segments(path)
        self.query = query.map(Self.fields) ?? []
        rawQuery = query
        self.headers = headers
        self.body = body
    }

    /// The values of all headers of this name.
    package func headers(named name: String) -> [String] {
        headers.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name.lowercased() }.map(
            \.value)
    }

    /// The media type of the body in lowercase, without parameters.
    package var mediaType: String? {
        headers(named: "Content-Type").first.map { type in
            String(Substring(Array(type.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmingText)).lowercased()
        }
    }

    static func segments(_ path: String) -> [String] {
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if path.utf8.first == UInt8(ascii: "/") { parts.removeFirst() }
        return parts.map { PercentEncoding.decoded(Substring($0)) }
    }

    /// The items of a query or a form. A plus is a space there, as browsers send it.
    static func fields(_ text: String) -> [Field] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Field(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private static func decoded(_ bytes: Substring.UTF8View) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(Substring(bytes))
        }
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decoded(String(decoding: spaced, as: UTF8.self))
    }
}

extension [UInt8] {
    /// The bytes as a text without spaces around it.
    fileprivate var trimmingText: String { String(decoding: self[...].trimmingSpacesAndTabs, as: UTF8.self) }
}
