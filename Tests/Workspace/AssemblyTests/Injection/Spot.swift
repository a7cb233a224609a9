import ReqcliAssembly
import ReqcliNetworking
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// A place where a value may stand, with what has to hold there whatever the value is.
struct Spot: Sendable, CustomTestStringConvertible {
    let name: String
    /// The endpoint's members; `VALUE` stands for the placeholder.
    let members: String
    /// Whether this text has to be refused there; else the request has to be made.
    var refuses: @Sendable (String) -> Bool = { _ in false }
    /// Whether any text may be refused there: few can be part of a host.
    var isPicky = false
    /// Fails the test if the value is more than a value.
    let verify: @Sendable (AssembledRequest, String) throws -> Void

    var testDescription: String { name }
}

// MARK: - Taking requests apart

extension AssembledRequest {
    /// The segments of the path, decoded, split before they are decoded.
    var segments: [String] {
        let path = request.url.absoluteString.dropFirst("http://h/".count).prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { decoded($0) }
    }

    /// The request with its signature.
    func signed() throws -> SignedRequest { try #require(try signed(request, at: 0)) }

    /// `name=value` of each query item, decoded.
    var queryItems: [String] { queryItems(of: request) }

    func queryItems(of request: PreparedRequest) -> [String] {
        let url = request.url.absoluteString
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map(pair)
    }

    var formFields: [String] {
        body.split(separator: "&", omittingEmptySubsequences: false).map(pair)
    }

    /// The header fields without those that are built in.
    var ownFields: [HeaderFields.Field] {
        request.headers.filter { $0.name != "User-Agent" && $0.name != "Accept" }
    }

    var body: String { String(decoding: bodyBytes, as: UTF8.self) }

    private var bodyBytes: Data {
        (request.body?.pieces ?? []).reduce(Data()) { bytes, piece in
            switch piece {
            case .data(let data): bytes + data
            case .file(let path): bytes + Data("<\(path)>".utf8)
            }
        }
    }

    /// Read with the project's own reader: Foundation's drops a byte-order mark in a string.
    func jsonBody() throws -> JSONBytes {
        let document = JSONDocument.read(SourceFile(name: "body", bytes: Array(bodyBytes)))
        #expect(document.problems.isEmpty)
        return JSONBytes(OrderedJSON(try #require(document.root)))
    }

    /// The parts of a multipart body: the lines of the head, and the content.
    func parts() throws -> [(head: [String], content: String)] {
        let type = try #require(request.headers["Content-Type"])
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        let pieces = ("\r\n" + body).components(separatedBy: "\r\n--" + boundary)
        #expect(pieces.first == "" && pieces.last == "--\r\n")
        return try pieces.dropFirst().dropLast().map { piece in
            // The first empty line ends a head.
            let end = try #require(piece.range(of: "\r\n\r\n"))
            let head = piece[..<end.lowerBound].components(separatedBy: "\r\n").filter { !$0.isEmpty }
            return (head, String(piece[end.upperBound...]))
        }
    }

    private func pair(_ text: Substring) -> String {
        text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { decoded($0) }.joined(
            separator: "=")
    }

    /// Written a second time, so that the encoder isn't checked against its own decoder.
    private func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.popFirst(), let low = rest.popFirst() {
                bytes.append(UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16) ?? 0)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// JSON compared byte by byte: two spellings of one character are two texts on the wire.
indirect enum JSONBytes: Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text([UInt8])
    case array([JSONBytes])
    case object([String: JSONBytes])
    case other(String)

    static func string(_ text: String) -> JSONBytes { .text(Array(text.utf8)) }

    init(_ value: OrderedJSON) {
        switch value {
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONBytes($0) })
        case .object(let members):
            // A key that is there twice would be seen here.
            self = .object(Dictionary(members.map { ($0.name, JSONBytes($0.value)) }) { _, _ in .other("twice") })
        default: self = .other(value.compact)
        }
    }

    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: JSONBytes...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONBytes)...) { self = .object(Dictionary(elements) { $1 }) }
}
