import Foundation
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The parts of a finished request that the placeholders of a signature name.
struct SignedParts: Sendable {
    private let message: WireMessage
    /// The bytes of the body; nil if they are not in memory.
    let body: [UInt8]?
    /// The signature, after it was made.
    var signature: String?
    /// Whether what functions make from the parts is a secret.
    var areSecret = false

    init(_ request: PreparedRequest) {
        message = WireMessage(
            request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: RequestBody.size(ofFile:))
        body = request.feed == nil ? request.body.map { $0.data.map(Array.init) } ?? [] : nil
    }

    /// The body if it isn't text.
    var binaryBody: FunctionValue? {
        body.flatMap { String(validating: $0, as: UTF8.self) == nil ? .bytes($0) : nil }
    }

    /// The text of a part; nil for a header that the request doesn't have.
    func text(_ word: String) -> String? {
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

extension Evaluation {
    /// The value of a part of the request that is being signed.
    mutating func part(_ word: String, of signed: SignedParts, _ place: Place) -> Evaluated<OrderedJSON> {
        guard let text = signed.text(word) else {
            if word != RequestWord.body { return .absent }
            report(
                .requestInvalid, "the body is read from files while it is sent, so {{$body}} has no value", at: place,
                hint: "sign other parts, or give the body as text")
            return .failed
        }
        if signed.areSecret || word == RequestWord.signature { usesSecret = true }
        return given(.string(text), place)
    }
}
