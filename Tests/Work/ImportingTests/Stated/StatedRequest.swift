import Foundation
import ReqcliText
import RequestBuilding

@testable import Importing

/// A request as it goes over the wire, against which the written endpoint is compared.
struct StatedRequest: Sendable, Equatable {
    var method: String
    var url: String
    /// Names and values in their order; without those that the sender adds.
    var headers: [Header]
    /// Nil if it can't be said beforehand: a file, or a multipart body.
    var body: [UInt8]?
    /// The parts of a multipart body, if the source lists them.
    var parts: [Part]?
    /// Headers about which the source says nothing, in lower case: its sender may add them or not.
    var openHeaders: Set<String> = []
    /// Optional params of the endpoint whose examples this request sends.
    var givenParams: Set<String> = []

    struct Header: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A part of a multipart body.
    struct Part: Sendable, Equatable {
        let name: String
        /// Nil for a file.
        let text: String?

        init(_ name: String, text: String?) {
            self.name = name
            self.text = text
        }
    }

    /// The text that stands for the value of a variable of the process wherever requests are compared.
    static func standIn(_ variable: String) -> String { "value-of-\(variable)" }

    /// The text that stands for a value that the source doesn't give: whatever is sent there is right.
    static let unknown = "value-that-is-unknown"

    init(method: String, url: String, headers: [Header], body: [UInt8]?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension StatedRequest {
    /// Adds a header, unless the source states one of this name.
    mutating func addHeader(_ name: String, _ value: String) {
        let isStated = headers.contains { $0.name.lowercased() == name.lowercased() }
        if !isStated { headers.append(Header(name, value)) }
    }

    /// Adds an item to the query. All of it is percent-encoded already.
    mutating func addQuery(_ item: String) {
        if !item.isEmpty { url += (url.contains("?") ? "&" : "?") + item }
    }

    /// Leaves headers to whoever sends the request: to an environment, say.
    mutating func leaveOpen(_ names: some Sequence<String>) {
        openHeaders.formUnion(names.map { $0.lowercased() })
        headers.removeAll { openHeaders.contains($0.name.lowercased()) }
    }

    mutating func setBasic(user: String, password: String) {
        let account = "\(user):\(password)"
        addHeader("Authorization", "Basic " + (account.contains(Self.unknown) ? Self.unknown : account.base64))
    }

    /// Makes the fields of a form the body.
    mutating func setForm(_ fields: [(name: String, value: String)]) {
        body = Array(
            fields.map { "\(PercentEncoding.queryComponent($0.name))=\(PercentEncoding.queryComponent($0.value))" }
                .joined(separator: "&").utf8)
        addHeader("Content-Type", "application/x-www-form-urlencoded")
    }

    mutating func setParts(_ parts: [Part]) {
        body = nil
        self.parts = parts
        // It names the boundary, which the sender makes.
        leaveOpen(["content-type"])
    }

    /// Leaves the content to a file.
    mutating func setFile() {
        body = nil
        openHeaders.insert("content-type")
    }

    /// Makes an operation of GraphQL the body.
    ///
    /// - Parameter variables: Their text, which is JSON.
    mutating func setGraphQL(_ query: String, variables: String) {
        let members = [("query", query.json)] + (variables.trimmed.isEmpty ? [] : [("variables", variables)])
        body = Array("{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}".utf8)
        addHeader("Content-Type", "application/json")
    }
}

extension String {
    /// The URL without user and password.
    var withoutAccount: String {
        guard let scheme = firstRange(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        guard let at = rest.prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@") else { return self }
        return String(self[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }

    /// User and password of a URL, decoded.
    var account: String? {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        let authority = self[start...].prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { PercentEncoding.decoded(authority[..<$0]) }
    }

    fileprivate var base64: String { Data(utf8).base64EncodedString() }

    /// The text as a string of JSON.
    fileprivate var json: String { OrderedJSON.string(self).compact }
}
