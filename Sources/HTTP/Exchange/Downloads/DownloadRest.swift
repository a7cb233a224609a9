import Foundation
import ReqcliBasics
package import RequestBuilding

/// The part of a file that an interrupted download still needs (RFC 9110 §14).
package struct DownloadRest {
    /// The number of bytes that need not be received again.
    package let offset: Int
    private let length: Int?
    private let validator: DownloadValidator

    /// Nil if the kept bytes can't be continued.
    ///
    /// - Parameters:
    ///   - kept: The number of kept bytes.
    ///   - length: The length of the whole file, if the server gave it.
    package init?(kept: Int, length: Int?, _ validator: DownloadValidator?) {
        guard let validator, kept <= length ?? .max else { return nil }
        // The last byte of a complete file is requested again, because a range after the last byte would be an error.
        offset = kept == length ? max(0, kept - 1) : kept
        self.length = length
        self.validator = validator
    }

    /// The request for a whole file. It asks for an uncompressed body, because the bytes of a compressed body can differ from run to
    /// run.
    package static func whole(_ request: PreparedRequest) -> PreparedRequest {
        var request = request
        request.headers.set("Accept-Encoding", "identity")
        return request
    }

    /// The request for the missing part.
    package func asking(_ request: PreparedRequest) -> PreparedRequest {
        var request = Self.whole(request)
        request.headers.set("Range", "bytes=\(offset)-")
        request.headers.set("If-Range", validator.text)
        return request
    }

    /// Whether the response can't continue the kept bytes, so that the whole file is needed.
    package func isRefused(by head: ResponseHead) -> Bool {
        head.status == 416 || head.status == 206 && !isContinued(by: head)
    }

    /// Whether the response has the missing bytes of the same file.
    private func isContinued(by head: ResponseHead) -> Bool {
        guard head.contentCoding == nil, let range = ContentRange(of: head) else { return false }
        let isSame =
            switch validator {
            case .tag(let tag): head.headers["ETag"] == tag
            // A response to If-Range may leave out Last-Modified.
            case .date(let date): head.headers["Last-Modified"].map { $0 == date } ?? true
            }
        return isSame && range.first == offset && range.last == range.total - 1
            && length.map { $0 == range.total } ?? true
    }

    /// Refuses a request whose response can't be continued: another method than GET, a body, or a range of its own.
    static func check(_ request: PreparedRequest) throws(RequestBuildingError) {
        if request.method != .get || request.body != nil {
            throw RequestBuildingError(
                .invalidMethod, operator: "download", subject: .method,
                reason: "a download needs a GET request without a body; this is a \(request.method)")
        }
        guard let header = ["Range", "If-Range"].first(where: { request.headers[$0] != nil }) else { return }
        throw RequestBuildingError(
            .invalidHeaderName, operator: "download", subject: .header(header),
            reason: "a download sets \(header) itself: leave out the header")
    }

    /// A hash of the method, the URL, and the headers by which a server chooses its response. The text that is hashed goes through a
    /// closure, which can leave out secrets.
    ///
    /// - Parameter others: Further headers that matter.
    package static func identity(
        of request: PreparedRequest, with others: [String] = [], _ hiding: (String) -> String = { $0 }
    ) -> String {
        let headers = (["Accept", "Accept-Language"] + others).map { "\($0): \(request.headers[$0] ?? "")" }
        let text = (["\(request.method.token) \(request.url.absoluteString)"] + headers).joined(separator: "\n")
        return SHA256.hash(hiding(text).utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The value that tells whether a file is still the same.
package enum DownloadValidator: Equatable, Sendable {
    /// A strong `ETag`.
    case tag(String)
    /// A `Last-Modified`.
    case date(String)

    package var text: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// The maximum length of a validator in bytes. A longer `ETag` would make a record that is too large to be read again.
    private static let longest = 1024

    /// The validator of a response with status 200, for later requests of a range (RFC 9110 §13.1.5).
    package init?(_ head: ResponseHead) {
        guard head.status == 200, head.contentCoding == nil else { return nil }
        if let tag = head.headers["ETag"] {
            guard tag.hasPrefix("\""), tag.count > 1, tag.hasSuffix("\""), tag.utf8.count <= Self.longest else {
                return nil
            }
            self = .tag(tag)
            return
        }
        // A file that changes twice within a second has one date for two contents. So a date is used only if it is at least a
        // second old.
        guard let text = head.headers["Last-Modified"], let changed = HTTPDate.date(from: text),
            let now = head.headers["Date"].flatMap(HTTPDate.date(from:)), now.timeIntervalSince(changed) >= 1
        else { return nil }
        self = .date(text)
    }
}

/// The value of a `Content-Range` with a known total (RFC 9110 §14.4).
package struct ContentRange {
    package let first, last, total: Int

    package init?(_ text: String) {
        let parts = text.split { " -/".contains($0) }
        guard parts.count == 4, parts[0].lowercased() == "bytes",
            parts[1...].allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let first = Int(parts[1]), let last = Int(parts[2]), let total = Int(parts[3])
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    /// The range of a response with a part of a file; nil for another response.
    package init?(of head: ResponseHead) {
        guard head.status == 206, let text = head.headers["Content-Range"] else { return nil }
        self.init(text)
    }

    /// The reason why a body doesn't match this range; nil if it matches.
    package func problem(withSize size: Int) -> String? {
        let (last, overflows) = first.addingReportingOverflow(size - 1)
        if !overflows, last == self.last { return nil }
        return "the body has \(size) bytes, but its Content-Range is \(first)-\(self.last)/\(total)"
    }
}
