import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText

@testable import Importing

/// The request that a recording holds, worked out from its JSON alone, to compare the endpoint with.
struct HARStatement {
    let source: JSONValue

    /// Nil where the list of the query may say more than the URL.
    var stated: StatedRequest? {
        guard let url = source["url"]?.string else { return nil }
        let text = String(url.prefix { $0 != "#" })
        let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] } ?? ""
        let items = query.split(separator: "&", omittingEmptySubsequences: true)
        if source.list("queryString").count > items.count { return nil }
        var stated = StatedRequest(
            method: source["method"]?.string ?? "GET", url: text.withoutAccount, headers: headers, body: [])
        // The params of what only some requests send have these names.
        stated.givenParams = Set(items.map { String($0.prefix { $0 != "=" }) })
        if let account = text.account?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) {
            stated.setBasic(user: String(account[0]), password: account.count > 1 ? String(account[1]) : "")
        }
        addBody(to: &stated)
        return stated
    }

    private static let ofConnection: Set = [
        "host", "content-length", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
        "expect",
    ]

    private var headers: [StatedRequest.Header] {
        var headers = source.list("headers").compactMap { header -> StatedRequest.Header? in
            guard let name = header["name"]?.string, name.isToken, let value = header["value"]?.scalarText,
                !value.utf8.contains(where: { [0, .lineFeed, .carriageReturn].contains($0) })
            else { return nil }
            return StatedRequest.Header(name, value.trimmed)
        }
        headers.removeAll { Self.ofConnection.contains($0.name.lowercased()) }
        if BrowserNoise.marks(headers.map { ($0.name, $0.value) }) {
            let method = source["method"]?.string ?? "GET"
            headers.removeAll { BrowserNoise.contains($0.name, $0.value, method: method) }
        }
        let cookies = source.list("cookies").compactMap { cookie in
            cookie["name"]?.string.map { "\($0)=\(cookie["value"]?.scalarText ?? "")" }
        }
        if !cookies.isEmpty, !headers.contains(where: { $0.name.lowercased() == "cookie" }) {
            headers.append(StatedRequest.Header("Cookie", cookies.joined(separator: "; ")))
        }
        return headers
    }

    private func addBody(to stated: inout StatedRequest) {
        guard let body = source["postData"], body.kind == .object else { return }
        let type = body["mimeType"]?.string ?? ""
        let text = body["text"]?.string ?? ""
        let fields = body.list("params").map { ($0["name"]?.string ?? "", $0["value"]?.scalarText) }
        if type.hasPrefix("multipart/form-data"), !fields.isEmpty {
            return stated.setParts(fields.map { StatedRequest.Part($0, text: $1) })
        }
        if body["encoding"]?.string == "base64" {
            stated.body = Base64.decode(text)
        } else if !text.isEmpty {
            stated.body = Array(text.utf8)
        } else if type.hasPrefix("application/x-www-form-urlencoded"), !fields.isEmpty {
            stated.setForm(fields.map { ($0, $1 ?? "") })
        } else {
            return stated.setFile()
        }
        if !type.isEmpty { stated.addHeader("Content-Type", type) }
    }
}
