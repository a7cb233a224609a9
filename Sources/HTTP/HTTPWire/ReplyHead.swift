import ReqcliBasics

/// The status line and the header fields of a response as bytes. They are made once for all responses with the same head.
///
/// The server adds the field `Date`, if it is missing, and the fields about the body's length and the connection, because these
/// depend on the request. Such fields are therefore removed here, and only their meaning is kept. This is a class because many
/// responses share one head.
package final class ReplyHead: Sendable {
    package let status: Int
    /// The head without the empty line at its end.
    package let bytes: [UInt8]
    package let hasDate: Bool
    package let isChunked: Bool
    package let closesConnection: Bool
    /// The Content-Length of a response without a body: a response to HEAD, or with status 304. Nil if the field is missing or
    /// isn't a length.
    package let statedLength: Int?

    /// - Parameter status: A status from 200 to 999. Any other status can't be the final response to a request, and becomes 500.
    package init(status: Int, fields: [(name: String, value: String)]) {
        self.status = (200...999).contains(status) ? status : 500
        var rest: [(name: String, value: String)] = []
        var (hasDate, isChunked, closes, length) = (false, false, false, Int?.none)
        for field in fields {
            switch field.name.lowercased() {
            case "content-length": length = field.value.byteCount
            case "transfer-encoding": isChunked = isChunked || field.value.lowercased().contains("chunked")
            case "connection":
                closes =
                    closes
                    || field.value.lowercased().split(separator: ",").contains { $0.trimmingSpacesAndTabs == "close" }
            case "date":
                hasDate = true
                rest.append(field)
            default: rest.append(field)
            }
        }
        bytes = HeadWriter.lines(status: self.status, fields: rest)
        self.hasDate = hasDate
        self.isChunked = isChunked
        closesConnection = closes
        statedLength = length
    }

    /// Whether responses with this status have a body (RFC 9110, section 6.4.1).
    package var allowsBody: Bool { status != 204 && status != 205 && status != 304 }
}
