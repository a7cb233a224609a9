#if os(Linux)
package import ReqcliNetworking
import RequestBuilding

/// An `HTTPURLResponse` that also has the head as it was received.
package final class LibcurlResponse: HTTPURLResponse, @unchecked Sendable {
    // Unchecked, like the superclass; the added properties are constant.

    /// The head, including everything that an `HTTPURLResponse` cannot store.
    package let head: ResponseHead
    /// Trailers and timings.
    package let ending: ResponseBody.Ending

    init?(head: ResponseHead, ending: ResponseBody.Ending) {
        guard let url = head.url else { return nil }
        self.head = head
        self.ending = ending
        super.init(
            url: url, statusCode: head.status, httpVersion: head.version,
            headerFields: Self.dictionary(head.headers))
    }

    /// Not supported: a response is not archived.
    package required init?(coder: NSCoder) {
        nil
    }

    /// The headers for Foundation, without the headers of challenges. Foundation would respond to a challenge by itself, and do it
    /// wrong. Without these headers, Foundation delivers the response to the caller.
    private static func dictionary(_ headers: HeaderFields) -> [String: String] {
        var result: [String: String] = [:]
        for field in headers {
            let name = field.name.lowercased()
            if name == "www-authenticate" || name == "proxy-authenticate" { continue }
            let key = result.keys.first { $0.lowercased() == name } ?? field.name
            result[key] = result[key].map { "\($0), \(field.value)" } ?? field.value
        }
        return result
    }
}
#endif
