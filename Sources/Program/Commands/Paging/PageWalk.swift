import Calling
import Checking
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Follows the pages of a list. All pages must have the origin of the first page.
struct PageWalk {
    /// The way to find the next page: as defined in the endpoint's file, else the header `Link`.
    private let next: Pages.Next
    private let nextPath: JSONPath?
    private let itemsPath: JSONPath?
    /// The request of the first page.
    let request: AssembledRequest
    /// The URLs of the pages so far.
    private var seen: Set<String>
    private var count: Int

    /// The number of the current page, from 1.
    var number: Int { seen.count }

    init(_ request: AssembledRequest) throws(Failure) {
        let pages = request.call.endpoint.definition.pages
        next = pages?.next ?? .link("next")
        itemsPath = try Self.path(pages?.items)
        switch next {
        case .url(let path), .cursor(let path, _): nextPath = try Self.path(path)
        case .link, .count: nextPath = nil
        }
        if case .count(let name, let from) = next {
            let given = request.request.url.queryValue(name)
            count = given.flatMap { Int($0) } ?? from
            self.request = given == nil ? try request.withQueryItem(name, "\(from)") : request
        } else {
            count = 0
            self.request = request
        }
        seen = [self.request.request.url.absoluteString]
    }

    private static func path(_ text: Located<String>?) throws(Failure) -> JSONPath? {
        guard let text else { return nil }
        let read = PathReading.read(text.value, at: text.place)
        guard let path = read.value else { throw Failure(.broken, read.diagnostics) }
        return path
    }

    /// Whether the pages are counted. If so, the last page is the first page without items.
    var counts: Bool { if case .count = next { true } else { false } }

    // MARK: Items

    func items(of page: JSONValue) throws(Failure) -> [JSONValue] {
        guard let itemsPath else {
            if page.kind == .array { return Array(page.elements) }
            throw failure(
                "is \(page.kindDescription), not a list",
                hint: "say where the items are with \"pages\" in the endpoint's file")
        }
        let nodes: [JSONValue]
        do throws(JSONPathLimit) {
            nodes = try itemsPath.nodes(in: page)
        } catch {
            throw failure("takes too much work: \(error.message)")
        }
        guard let first = nodes.first else { throw failure("has nothing at \(own: itemsPath.text)") }
        if nodes.count > 1 { return nodes }
        if first.kind == .array { return Array(first.elements) }
        // Some servers write an empty list as null.
        if first.isNull { return [] }
        if itemsPath.isSingular {
            throw failure("has \(own: first.kindDescription) at \(own: itemsPath.text), not a list")
        }
        return [first]
    }

    // MARK: The next page

    /// The URL of the page after this one; nil for the last page.
    mutating func advance(_ page: JSONValue, _ response: ResponseHead, hasItems: Bool) throws(Failure) -> URL? {
        guard let url = try nextURL(page, response, hasItems: hasItems) else { return nil }
        let shown = request.redactor.redact(url.absoluteString)
        guard WebOrigin(url) == WebOrigin(request.request.url) else {
            throw failure(
                "leads to \(shown), which is another origin",
                hint: "reqcli sends the request and its credentials only to the origin of the first page")
        }
        guard seen.insert(url.absoluteString).inserted else {
            throw failure("leads to \(shown), which was already read")
        }
        return url
    }

    private mutating func nextURL(
        _ page: JSONValue, _ response: ResponseHead, hasItems: Bool
    ) throws(Failure) -> URL? {
        switch next {
        case .link(let relation):
            return try LinkHeader.target(of: relation, in: response.headers.values("Link")).map {
                (target) throws(Failure) in try url(target, response)
            }
        case .url: return try value(of: page).map { (target) throws(Failure) in try url(target, response) }
        case .cursor(_, let name):
            return try value(of: page).map { (value) throws(Failure) in
                try request.withQueryItem(name, value).request.url
            }
        case .count(let name, _):
            guard hasItems else { return nil }
            guard count < .max else { throw failure("has the largest possible number") }
            count += 1
            return try request.withQueryItem(name, "\(count)").request.url
        }
    }

    /// The value that leads to the next page; nil if there is none.
    private func value(of page: JSONValue) throws(Failure) -> String? {
        guard let nextPath, let node = (try? nextPath.nodes(in: page))?.first, !node.isNull else { return nil }
        if node.kind == .object || node.kind == .array {
            throw failure("has \(own: node.kindDescription) at \(own: nextPath.text), not a value for the next page")
        }
        let text = OrderedJSON(node).plainText
        return text.isEmpty || text == "false" && node.kind != .string ? nil : text
    }

    private func url(_ target: String, _ response: ResponseHead) throws(Failure) -> URL {
        do throws(RedirectLocation.Problem) {
            return try RedirectLocation(bytes: Array(target.utf8)).target(from: response.url ?? request.request.url)
        } catch {
            throw failure("has no valid URL for the next page: \(error.reason)")
        }
    }

    /// The failure for a page that makes the list incomplete.
    func failure(_ reason: Wording, _ status: ExitStatus = .expectationFailed, hint: String? = nil) -> Failure {
        let message: Wording = "page \(number) \(reason)"
        return Failure(
            status, code: .pageFailed, request.redactor.redact(message), hint: hint.map(Wording.init(quoting:)))
    }
}

extension AssembledRequest {
    fileprivate func withQueryItem(_ name: String, _ value: String) throws(Failure) -> AssembledRequest {
        try extended(from: Origin(layer: "command line", flag: "--paginate")) {
            $0.replacingQueryItem(name, value)
        }
    }
}

extension URL {
    /// The value of the first query item with a name.
    fileprivate func queryValue(_ name: String) -> String? {
        URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }
}

extension Diagnostic.Code {
    static let pageFailed: Self = "page.failed"
}
