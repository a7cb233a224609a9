import ReqcliDefinitions
import ReqcliText

/// Headers that a browser adds to each request, and that no endpoint needs.
enum BrowserNoise {
    /// Whether the headers of a request show that a browser has sent the request.
    static func marks(_ headers: some Sequence<(name: String, value: String)>) -> Bool {
        headers.contains { name, value in
            let name = name.lowercased()
            return name.hasPrefix("sec-fetch-") || name.hasPrefix("sec-ch-ua")
                || name == "user-agent" && value.hasPrefix("Mozilla/")
        }
    }

    /// Whether a header of a browser's request is noise.
    static func contains(_ name: String, _ value: String, method: String) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("sec-") || names.contains(name) { return true }
        switch name {
        case "pragma", "cache-control": return value.lowercased() == "no-cache"
        case "origin": return method == "GET"
        // reqcli sends this value even if the endpoint has no such header.
        case "accept": return value == "*/*"
        default: return false
        }
    }

    private static let names: Set<String> = [
        "user-agent", "accept-encoding", "accept-language", "connection", "dnt", "priority", "te",
        "upgrade-insecure-requests", "referer", "authority", "content-length",
    ]

    /// Removes the noise from a request that a browser has sent.
    static func remove(from request: inout ImportedRequest, _ notes: inout [ConversionNote]) {
        func value(_ header: OrderedJSON.Member) -> String { header.value.scalarText ?? "" }
        guard marks(request.headers.map { ($0.name, value($0)) }) else { return }
        let method = request.method
        let noise = request.headers.filter { contains($0.name, value($0), method: method) }
        if noise.isEmpty { return }
        request.headers.removeAll { noise.contains($0) }
        notes.append(
            ConversionNote(
                .remark, "headers that a browser adds are left out", noise.map(\.name).joined(separator: ", "),
                at: request.place))
    }
}
