import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A request as a load test sends it. Some of its values are open: the load test fills them in.
struct LoadRequest {
    let request: OpenRequest
    private let message: WireMessage

    init(_ request: OpenRequest) {
        self.request = request
        message = WireMessage(
            request.request, defaults: WireDefaults(userAgent: nil, accept: nil), fileSize: { _ in 0 })
    }

    /// Scheme, host and port.
    var origin: String { Self.origin(of: request.url) }

    /// Path and query.
    var target: String { message.target }

    /// Scheme, host and port of a URL.
    static func origin(of url: String) -> String {
        let mark = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[mark...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return String(url[..<end])
    }

    /// The headers, each name once.
    ///
    /// - Parameter codings: The content codings that the engine can decode; nil if the engine can decode all codings that reqcli
    ///   accepts.
    func headers(codings: String? = nil, _ notes: inout [ConversionNote]) -> [(name: String, value: String)] {
        let own = Set(request.headers.map { $0.name.lowercased() })
        var headers: [(name: String, values: [String])] = []
        for field in message.headers {
            let key = field.name.lowercased()
            // The engines set these two headers from the URL and the body, as reqcli does.
            if ["host", "content-length"].contains(key), !own.contains(key) { continue }
            let value = key == "accept-encoding" && !own.contains(key) ? codings ?? field.value : field.value
            if let index = headers.firstIndex(where: { $0.name.lowercased() == key }) {
                headers[index].values.append(value)
                notes.append(
                    ConversionNote(
                        .approximated, "a header that repeats is sent once, with its values separated by commas",
                        "\(field.name) of \(request.endpoint.id)", at: request.endpoint.definition.place))
            } else {
                headers.append((field.name, [value]))
            }
        }
        return headers.map { ($0.name, $0.values.joined(separator: ", ")) }
    }

    /// The user and the password in a header with Basic credentials, if a part of the credentials is left open; else nil.
    static func account(inHeader name: String, _ value: String) -> (user: String, password: String)? {
        guard name.lowercased() == "authorization", value.hasPrefix("Basic "),
            let bytes = Data(base64Encoded: String(value.dropFirst(6))).flatMap({
                String(validating: $0, as: UTF8.self)
            }), let colon = bytes.firstIndex(of: ":"),
            StandIn.pieces(of: bytes).contains(where: { $0.value != nil })
        else { return nil }
        return (String(bytes[..<colon]), String(bytes[bytes.index(after: colon)...]))
    }

    // MARK: Captures

    /// The part of a response that a capture takes.
    enum CaptureSource {
        case json([MemberPath.Step])
        case header(String, pattern: String?)
        case cookie(String)
        case body
        case status
    }

    /// The captures that a load test can make. Adds notes about the other captures.
    func captures(_ notes: inout [ConversionNote]) -> [(name: String, source: CaptureSource)] {
        request.endpoint.definition.captures.compactMap { capture in
            let source: CaptureSource? =
                switch capture.value.source {
                case .json(let path): MemberPath(path.value).flatMap { $0.isSingle ? .json($0.steps) : nil }
                case .header(let name): .header(name.value, pattern: capture.value.match?.value)
                case .cookie(let name): .cookie(name.value)
                case .body: .body
                case .status: .status
                case .url, nil: nil
                }
            if let source { return (capture.name, source) }
            notes.append(
                ConversionNote(
                    .lost, "captures of this kind are not converted", "\(capture.name) of \(request.endpoint.id)",
                    at: capture.namePlace))
            return nil
        }
    }

    // MARK: Body

    enum Body {
        case none
        case bytes([UInt8])
        /// JSON. Like `form` and `text`, it may contain open values.
        case json(String)
        case form(String)
        case text(String)
    }

    /// The largest size of a file that is written into the load test, in bytes. The machines that run the load test don't have
    /// the file itself.
    private static let largestFile = 1 << 20

    func body(_ source: ExportSource, _ notes: inout [ConversionNote]) -> Body {
        var bytes: [UInt8] = []
        for piece in request.request.body?.pieces ?? [] {
            switch piece {
            case .data(let data): bytes += data
            case .file(let path):
                guard let data = try? source.workspace.files.read(path, Self.largestFile) else {
                    notes.append(
                        ConversionNote(
                            .lost, "a body's file is missing, or larger than 1 MiB: the body is left out",
                            "\(request.endpoint.id), \(StandIn.shown(path))", at: request.endpoint.definition.place))
                    return .none
                }
                bytes += data
            }
        }
        if request.request.body == nil { return .none }
        guard let text = String(validating: bytes, as: UTF8.self),
            StandIn.pieces(of: text).contains(where: { $0.value != nil })
        else { return .bytes(bytes) }
        if request.bodyJSON != nil { return .json(text) }
        let isForm = (request.contentType ?? "").hasPrefix("application/x-www-form-urlencoded")
        return isForm ? .form(text) : .text(text)
    }

    /// A part of a JSON text.
    enum JSONPart {
        case literal(String)
        /// A value that replaces a whole string. The value may have any type and is written as JSON.
        case whole(OpenValue)
        /// A value inside of a string.
        case inside(OpenValue)

        var isWhole: Bool { if case .whole = self { true } else { false } }

        /// Whether the part is a number that is generated for each request. Such a part needs no quotes.
        var isNumber: Bool {
            switch self {
            case .whole(.generated(let generated)), .inside(.generated(let generated)):
                generated == .timestamp || generated == .randomInt
            default: false
            }
        }
    }

    static func jsonParts(of text: String) -> [JSONPart] {
        let pieces = StandIn.pieces(of: text)
        var parts: [JSONPart] = []
        var literal = ""
        var skipsQuote = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                literal += skipsQuote ? String(text.dropFirst()) : text
                skipsQuote = false
            case .open(let value):
                var next = ""
                if index + 1 < pieces.count, case .literal(let text) = pieces[index + 1] { next = text }
                let isWhole = literal.hasSuffix("\"") && !literal.hasSuffix("\\\"") && next.hasPrefix("\"")
                if isWhole { literal.removeLast() }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                skipsQuote = isWhole
                parts.append(isWhole ? .whole(value) : .inside(value))
            }
        }
        return literal.isEmpty ? parts : parts + [.literal(literal)]
    }
}

extension ExportSource {
    /// The secrets of the environment, each with the process variable from which a load test reads it.
    var secretVariables: [(name: String, variable: String)] {
        environment.secrets.map { secret in
            if case .processVariable(let variable)? = secret.value.set { return (secret.name, variable.value) }
            return (secret.name, VariableNames.word(secret.name).replacing("-", with: "_").uppercased())
        }
    }
}
