import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Recordings of browsers and proxies (HAR 1.1 and 1.2), and single requests in the format of httpsnippet.
package enum HARImport: ImportFormat {
    package static let name = "har"
    package static let summary = "HAR files: recordings of browsers and proxies, and single requests in this format"
    package static let extensions = ["har"]

    package static func looksLike(_ file: SourceFile) -> Bool {
        guard let root = SourceJSON.object(of: file) else { return false }
        return root["log"]?["entries"]?.kind == .array || isRequest(root)
    }

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var reader = HARReader(options)
        for file in source.files { try reader.read(try SourceJSON.root(of: file)) }
        notes += reader.notes + reader.noteOfBrowser
        var endpoints = HAREndpoints(options)
        for exchange in reader.exchanges { endpoints.add(exchange) }
        let api = endpoints.made()
        notes += endpoints.notes
        guard !api.requests.isEmpty else {
            throw ImportProblem(
                reader.hasSkipped
                    ? "the recording has only pages, images and other files" : "the recording has no request", at: nil,
                hint: reader.hasSkipped ? "pass --all to import them" : nil, isUsage: true)
        }
        return api
    }

    static func isRequest(_ value: JSONValue) -> Bool { value["url"]?.string != nil && value["method"]?.string != nil }
}

/// Picks the requests of a recording that belong to an API.
struct HARReader {
    private(set) var exchanges: [HARExchange] = []
    private(set) var notes: [ConversionNote] = []
    private(set) var hasSkipped = false
    private let options: ImportOptions
    /// The names of headers that a browser has added, in their order.
    private var browserHeaders: [String] = []
    private var knownHeaders: Set<String> = []
    private var browserPlace: Place?

    init(_ options: ImportOptions) { self.options = options }

    mutating func read(_ root: JSONValue) throws(ImportProblem) {
        let single = root["request"] ?? root
        if HARImport.isRequest(single) { return add(root, single) }
        guard let entries = root["log"]?["entries"], entries.kind == .array else {
            throw ImportProblem(
                "expected \"log\" with \"entries\", or a request with \"method\" and \"url\"", at: root.place,
                isUsage: true)
        }
        guard entries.count <= ImportLimits.requests else { throw ImportLimits.tooMany(entries.place) }
        for entry in entries.elements {
            guard let request = entry["request"], HARImport.isRequest(request) else {
                notes.append(ConversionNote(.lost, "an entry has no request with a method and a URL", at: entry.place))
                continue
            }
            if let reason = skipped(entry, request) {
                hasSkipped = true
                notes.append(ConversionNote(.lost, reason, at: request["url"]?.place))
            } else {
                add(entry, request)
            }
        }
    }

    private mutating func add(_ entry: JSONValue, _ request: JSONValue) {
        let exchange = HARExchange(entry, request, options, &notes)
        if browserPlace == nil, !exchange.browserHeaders.isEmpty { browserPlace = exchange.request.place }
        for name in exchange.browserHeaders where knownHeaders.insert(name.lowercased()).inserted {
            browserHeaders.append(name)
        }
        exchanges.append(exchange)
    }

    /// A note with the names of the headers that were left out. Empty if no header was left out.
    var noteOfBrowser: [ConversionNote] {
        guard let browserPlace else { return [] }
        return [
            ConversionNote(
                .remark, "headers that a browser adds are left out", browserHeaders.joined(separator: ", "),
                at: browserPlace)
        ]
    }

    /// Whether the type is XML for data, not for a page or a picture.
    private static func isData(_ type: MediaType) -> Bool {
        type.isXML && !["application/xhtml+xml", "image/svg+xml"].contains(type.name)
    }

    /// The reason why an entry isn't imported.
    private func skipped(_ entry: JSONValue, _ request: JSONValue) -> String? {
        let url = (request["url"]?.string ?? "").prefix(8).lowercased()
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            return "browser URLs and WebSocket URLs are not imported"
        }
        let method = request["method"]?.string ?? ""
        guard method.isToken, method != "CONNECT" else { return "requests with an invalid method are not imported" }
        if options.takesAll { return nil }
        let kind = entry["_resourceType"]?.string
        let isPreflight =
            method == "OPTIONS"
            && request.list("headers").contains { $0["name"]?.string?.lowercased() == "access-control-request-method" }
        if isPreflight || kind == "preflight" { return "preflight requests of the browser are left out" }
        let type = MediaType(entry["response"]?["content"]?["mimeType"]?.string ?? "")
        // A tool that records no responses records no pages.
        let isTaken =
            method != "GET" || entry["response"] == nil || kind == "xhr" || kind == "fetch" || type.isJSON
            || Self.isData(type)
        return isTaken ? nil : "pages, images and other files are left out; pass --all to import them"
    }
}

/// The limits for sources of all formats.
package enum ImportLimits {
    package static let requests = 100_000

    package static func tooMany(_ place: Place) -> ImportProblem {
        ImportProblem("a source has at most \(requests) requests", at: place, isUsage: true)
    }
}
