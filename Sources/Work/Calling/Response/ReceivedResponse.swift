package import Exchange
import Foundation
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliMatching
package import ReqcliText
package import RequestBuilding

/// A response of a server or a stub, as the checks see it, without the details of how it was fetched.
package final class ReceivedResponse: Sendable {
    /// A part of a response that can hold a secret.
    package enum Part: Sendable {
        case headers
        case body
    }

    package let status: Int
    /// The reason phrase of an HTTP/1 response; empty if there is none.
    package let reason: String
    /// The headers in the order received, including repeated ones.
    package let headers: HeaderFields
    /// The values of all `Set-Cookie` headers, including the headers of earlier redirects.
    package let setCookies: [String]
    /// The URL that responded, after all redirects; nil if it is not known.
    package let url: String?
    package let body: ReceivedBody
    /// The time from the first byte sent to the last byte of the body.
    package let duration: Duration
    /// The method of the request.
    package let method: String
    /// The URL of the request; nil if it is not known.
    package let requestURL: String?
    /// Whether the codings that `Content-Encoding` names have already been removed.
    package let isDecoded: Bool
    /// The progress of the expected events; nil if the response is not a stream, or if no events are expected.
    package let events: (any EventJudge)?
    private let knownContent = Mutex<Result<[UInt8], UnreadableBody>?>(nil)

    package init(
        status: Int, reason: String = "", headers: HeaderFields = [:], body: ReceivedBody = ReceivedBody([]),
        duration: Duration = .zero, method: String = "GET", isDecoded: Bool = false,
        events: (any EventJudge)? = nil, setCookies: [String]? = nil, url: String? = nil, requestURL: String? = nil
    ) {
        self.requestURL = requestURL
        self.setCookies = setCookies ?? headers.values("Set-Cookie")
        self.url = url
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.duration = duration
        self.method = method
        self.isDecoded = isDecoded
        self.events = events
    }

    /// The body as UTF-8, with its content codings decoded, computed on first use. Bytes labelled as UTF-8 are not validated
    /// here, because `text` and the JSON reader validate them.
    package var content: Result<[UInt8], UnreadableBody> {
        if let known = knownContent.withLock(\.self) { return known }
        let content = decoded()
        knownContent.withLock { $0 = content }
        return content
    }
}

extension HeaderFields.Field {
    /// The value as messages and reports quote it. Values of `Set-Cookie` are always hidden, even if nothing marks them
    /// as secret, because a cookie may open a session.
    package var shownValue: String { name.isSameHeader(as: "Set-Cookie") ? maskedValue : value }
}

/// The reason why the body of a response can't be checked as text.
package enum UnreadableBody: Error, Equatable {
    case missing(because: String)
    case undecodable(ContentCodingProblem.Kind, limit: Int)
    case tooLarge(limit: Int)
    case unknownCharset(String)
    /// The headers name several charsets, so it is not clear how to read the text.
    case severalCharsets([String])
    /// The bytes are not valid in their charset.
    case invalid(charset: String, isNamed: Bool)

    /// The text after "found" in a failure.
    package func phrase(_ excerpts: Excerpts) -> Wording {
        func quoted(_ name: String) -> Wording { excerpts.text(String(name.prefix(30))) }
        let reason: Wording
        switch self {
        case .missing(let cause): return "no body to check: \(own: "\(cause)") has no body"
        case .undecodable(.unknown(let name), _):
            reason = "its Content-Encoding is \(quoted(name)), which reqcli cannot decode"
        case .undecodable(.damaged, _): reason = "it is not valid for its Content-Encoding"
        case .undecodable(.cutOff, _): reason = "it is cut off before its Content-Encoding ends"
        case .undecodable(.noLibrary(let library), _):
            reason = "it is compressed, and \(own: "\(library)") is not installed"
        case .undecodable(.tooLarge, let limit):
            reason = "it is larger than \(own: "\(ByteCount(limit))") after decompression; --max-body allows more"
        case .tooLarge(let limit): reason = "it is larger than \(own: "\(ByteCount(limit))"); --max-body allows more"
        case .unknownCharset(let name): reason = "its charset is \(quoted(name)), which reqcli doesn't know"
        case .severalCharsets(let names):
            reason = "its Content-Type names several charsets: \(names.map(quoted).joined(separator: ", "))"
        case .invalid(let charset, let isNamed):
            reason = "it is not valid \(charset)\(own: isNamed ? "" : ", and its Content-Type names no charset")"
        }
        return "a body that can't be checked: \(reason)"
    }
}

extension ReceivedResponse {
    /// The status and its reason. The usual reason of a status counts as reqcli's own words, not as content of the server.
    package func statusLine(_ excerpts: Excerpts) -> Wording {
        if reason.isEmpty { return "\(status)" }
        return hasUsualReason ? "\(status) \(own: reason)" : "\(status) \(excerpts.line(Array(reason.utf8)))"
    }

    package var hasUsualReason: Bool { reason == ReasonPhrase.usual(for: status) }

    /// The body as UTF-8 text, with its content codings and charset decoded.
    package var text: Result<[UInt8], UnreadableBody> {
        content.flatMap { bytes in
            if String(validating: bytes, as: UTF8.self) != nil { return .success(bytes) }
            return .failure(.invalid(charset: Charset.utf8.name, isNamed: !charsetNames.isEmpty))
        }
    }

    /// The body as messages and reports show it: as text or, if it is not text, as bytes.
    package var shownBody: [UInt8] { (try? content.get()) ?? body.bytes }

    /// Computes `content`.
    package func decoded() -> Result<[UInt8], UnreadableBody> {
        if let cause = reasonForNoBody { return .failure(.missing(because: cause)) }
        if body.isTooLarge { return .failure(.tooLarge(limit: body.limit)) }
        var bytes = body.bytes
        do throws(ContentCodingProblem) {
            let codings = isDecoded ? [] : headers.values("Content-Encoding")
            if !codings.isEmpty { bytes = try ContentCoding.decode(bytes, codings, limit: body.limit) }
        } catch {
            return .failure(.undecodable(error.kind, limit: body.limit))
        }
        let names = charsetNames
        if names.count > 1 { return .failure(.severalCharsets(names)) }
        guard let name = names.first else {
            let charset = Charset(markedIn: bytes)
            guard let text = charset.utf8(of: bytes) else {
                return .failure(.invalid(charset: charset.name, isNamed: false))
            }
            return .success(text)
        }
        guard let charset = Charset(named: name) else { return .failure(.unknownCharset(name)) }
        guard let text = charset.utf8(of: bytes) else {
            return .failure(.invalid(charset: charset.name, isNamed: true))
        }
        return .success(text)
    }

    /// The reason why the response has no body, by RFC 9110, section 6.4.1; nil if it may have one.
    package var reasonForNoBody: String? {
        if method == "HEAD" { return "a response to HEAD" }
        return status == 204 || status == 304 ? "a response with status \(status)" : nil
    }

    /// The different `charset` parameters of all `Content-Type` headers.
    private var charsetNames: [String] {
        var names: [String] = []
        // Splitting at semicolons is safe even for a quoted name, because no charset has a semicolon in its name.
        for type in headers.values("Content-Type") {
            for parameter in type.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
                let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1).map { part in
                    String(decoding: part.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
                }
                guard parts.count == 2, parts[0].lowercased() == "charset", !parts[1].isEmpty else { continue }
                if !names.contains(where: { $0.lowercased() == parts[1].lowercased() }) { names.append(parts[1]) }
            }
        }
        return names
    }
}

extension ReceivedResponse {
    /// The response as checks and captures see it.
    package convenience init(
        _ head: ResponseHead, body: ReceivedBody, duration: Duration = .zero, method: String = "GET",
        events: (any EventJudge)? = nil, setCookies: [String]? = nil, requestURL: String? = nil
    ) {
        self.init(
            status: head.status, reason: head.reason,
            headers: head.headers, body: body, duration: duration, method: method,
            isDecoded: head.isDecoded, events: events, setCookies: setCookies, url: head.url?.absoluteString,
            requestURL: requestURL)
    }
}

/// The body of a response, as far as it was read and kept.
package struct ReceivedBody: Sendable {
    package static let usualLimit = 256 << 20

    /// All bytes of the body, or the first ones if the body is larger than the limit.
    package let bytes: [UInt8]
    /// The number of bytes that were read.
    package let size: Int
    /// Whether reading stopped before the body ended.
    package let isLonger: Bool
    /// The maximum size of a body that can be checked, as received and decompressed.
    package let limit: Int

    package init(_ bytes: [UInt8], size: Int? = nil, isLonger: Bool = false, limit: Int = Self.usualLimit) {
        self.bytes = bytes
        self.size = size ?? bytes.count
        self.isLonger = isLonger
        self.limit = limit
    }

    package var isTooLarge: Bool { size > limit }
}
