package import RequestBuilding

/// The parts of a finished request that the placeholders of a signature name.
package struct SignedParts: Sendable {
    private let message: WireMessage
    /// The bytes of the body; nil if they are not in memory.
    package let body: [UInt8]?
    /// The signature, after it was made.
    package var signature: String?
    /// Whether what functions make from the parts is a secret.
    package var areSecret = false

    package init(_ request: PreparedRequest) {
        message = WireMessage(
            request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: RequestBody.size(ofFile:))
        body = request.feed == nil ? request.body.map { $0.data.map(Array.init) } ?? [] : nil
    }

    /// The body if it isn't text.
    package var binaryBody: FunctionValue? {
        body.flatMap { String(validating: $0, as: UTF8.self) == nil ? .bytes($0) : nil }
    }

    /// The text of a part; nil for a header that the request doesn't have.
    package func text(_ word: String) -> String? {
        let parts = message.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let query = parts.count > 1 ? parts[1] : ""
        switch word {
        case RequestWord.method: return message.method
        case RequestWord.host: return message.headers["Host"]
        case RequestWord.path: return parts[0]
        case RequestWord.query: return query
        case RequestWord.sortedQuery:
            let items = query.split(separator: "&").map { item in
                (item: item, name: item.prefix { $0 != "=" }, value: item.drop { $0 != "=" })
            }
            return items.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map(\.item).joined(separator: "&")
        case RequestWord.target: return message.target
        case RequestWord.body: return body.map { String(decoding: $0, as: UTF8.self) }
        case RequestWord.signature: return signature
        default:
            let values = message.headers.values(String(word.dropFirst(RequestWord.header.count)))
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }
}
