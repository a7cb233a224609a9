import ReqcliBasics
import ReqcliText
import RequestBuilding

@testable import Importing

/// The request that Postman sends for an item of a collection, worked out from its JSON alone, to compare the endpoint with.
struct PostmanStatement {
    private let source: JSONValue
    /// The auth of the folders around it.
    private let inheritedAuth: JSONValue?
    private let values: StatedValues
    private let keepsBodies: Bool

    /// - Parameter keepsBodies: Whether a body goes with every method.
    init(_ source: JSONValue, inheriting auth: JSONValue?, _ values: StatedValues, keepsBodies: Bool) {
        self.keepsBodies = keepsBodies
        self.source = source
        inheritedAuth = auth
        self.values = values
    }

    /// - Parameter method: The method of the endpoint, where the source has none that can be sent.
    func stated(method: String) -> StatedRequest? {
        guard let url = source.kind == .string ? source : source["url"] else { return nil }
        var stated = StatedRequest(method: method, url: text(of: url), headers: headers, body: [])
        if let body = source["body"], body.kind == .object, body["disabled"]?.bool != true,
            keepsBodies || !["GET", "HEAD", "COPY", "PURGE", "UNLOCK"].contains(method)
        {
            addBody(body, to: &stated)
        }
        addAuth(to: &stated)
        return stated
    }

    private func fill(_ value: JSONValue?) -> String { values.text(value?.scalarText ?? "") }

    // MARK: URL

    private func text(of url: JSONValue) -> String {
        let raw = url.string ?? url["raw"]?.string ?? CollectionRequest.composed(url)
        let withoutFragment = raw.prefix { $0 != "#" }
        let path = String(withoutFragment.prefix { $0 != "?" })
        var variables: [String: String] = [:]
        for variable in url.list("variable") {
            if let key = variable["key"]?.string ?? variable["id"]?.string {
                variables[key] = variable["value"]?.scalarText
            }
        }
        var text = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard segment.hasPrefix(":"), segment.utf8.count > 1 else { return values.text(String(segment)) }
            guard let value = variables[String(segment.dropFirst())], !value.isEmpty else {
                return StatedRequest.unknown
            }
            return values.text(value)
        }.joined(separator: "/")
        if !text.contains("://"), !text.hasPrefix(StatedRequest.unknown) { text = "http://" + text }
        text = text.withoutAccount
        guard url["query"]?.kind == .array else {
            return text + values.text(String(withoutFragment.dropFirst(path.count)))
        }
        let items = url.list("query").filter { $0["disabled"]?.bool != true }.compactMap { item -> String? in
            let sides = [item["key"], item["value"]].compactMap { $0?.scalarText }.map { values.text($0) }
            return sides.isEmpty ? nil : sides.joined(separator: "=")
        }
        return items.isEmpty ? text : text + "?" + items.joined(separator: "&")
    }

    // MARK: Headers

    private var headers: [StatedRequest.Header] {
        if let text = source["header"]?.string {
            return text.split(whereSeparator: \.isNewline).compactMap { line in
                let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return sides.count == 2 ? header(String(sides[0]), String(sides[1])) : nil
            }
        }
        return source.list("header").filter { $0["disabled"]?.bool != true }.compactMap {
            header($0["key"]?.string ?? "", $0["value"]?.scalarText ?? "")
        }
    }

    /// Nil for a header that can't be sent, and for one that is made of URL and body.
    private func header(_ name: String, _ value: String) -> StatedRequest.Header? {
        let name = name.trimmed
        let value = values.text(value).trimmed
        let isMade = ["host", "content-length"].contains(name.lowercased())
        guard name.isToken, !isMade, !value.utf8.contains(where: { [0, .lineFeed, .carriageReturn].contains($0) })
        else {
            return nil
        }
        return StatedRequest.Header(name, value)
    }

    // MARK: Body

    private func addBody(_ body: JSONValue, to stated: inout StatedRequest) {
        switch body["mode"]?.string {
        case "raw":
            let text = fill(body["raw"])
            if text.isEmpty { return }
            stated.body = Array(text.utf8)
            let language = body["options"]?["raw"]?["language"]?.string ?? "text"
            stated.addHeader("Content-Type", Self.types[language] ?? "text/plain")
        case "urlencoded":
            if let text = body["urlencoded"]?.string {
                stated.body = Array(values.text(text).utf8)
                return stated.addHeader("Content-Type", "application/x-www-form-urlencoded")
            }
            let fields = fields(body["urlencoded"])
            if !fields.isEmpty { stated.setForm(fields.map { (fill($0["key"]), fill($0["value"])) }) }
        case "formdata":
            let fields = fields(body["formdata"])
            if fields.isEmpty { return }
            stated.setParts(
                fields.flatMap { field -> [StatedRequest.Part] in
                    let name = fill(field["key"])
                    guard field["type"]?.string == "file" else {
                        return [StatedRequest.Part(name, text: fill(field["value"]))]
                    }
                    let count = max(1, field["src"]?.kind == .array ? field.list("src").count : 1)
                    return Array(repeating: StatedRequest.Part(name, text: nil), count: count)
                })
        case "graphql":
            guard let operation = body["graphql"], operation["query"]?.string?.isEmpty == false else { return }
            let variables = operation["variables"].map { $0.kind == .string ? fill($0) : values.text($0.text) } ?? ""
            stated.setGraphQL(fill(operation["query"]), variables: variables)
            stated.operationName(operation["operationName"]?.string ?? "")
        case "file": stated.setFile()
        default: break
        }
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html",
        "javascript": "application/javascript", "text": "text/plain",
    ]

    private func fields(_ source: JSONValue?) -> [JSONValue] {
        source?.elements.filter { $0.kind == .object && $0["disabled"]?.bool != true } ?? []
    }

    // MARK: Auth

    private func addAuth(to stated: inout StatedRequest) {
        let own = source.kind == .object ? source["auth"].flatMap { $0.isNull ? nil : $0 } : nil
        guard let auth = own ?? inheritedAuth, let type = auth["type"]?.string else { return }
        func value(_ key: String) -> String? {
            guard let settings = auth[type] else { return nil }
            if settings.kind == .object { return settings[key].map { fill($0) } }
            return Array(settings.elements).last { $0["key"]?.string == key }.map { fill($0["value"]) }
        }
        switch type {
        case "bearer":
            let token = value("token") ?? ""
            stated.addHeader("Authorization", "Bearer " + (token.isEmpty ? StatedRequest.unknown : token))
        case "basic":
            let (user, password) = (value("username") ?? "", value("password") ?? "")
            if user.isEmpty, password.isEmpty { return }
            stated.setBasic(user: user, password: password)
        case "apikey":
            let text = value("value") ?? ""
            let key = (name: value("key") ?? "", value: text.isEmpty ? StatedRequest.unknown : text)
            if value("in") == "query" {
                stated.addQuery(
                    [key.name, key.value].map { PercentEncoding.queryComponent($0) }.joined(separator: "="))
            } else if key.name.isToken {
                stated.addHeader(key.name, key.value)
            }
        case "noauth", "digest": break
        // A note says what to do.
        default: stated.openHeaders.insert("authorization")
        }
    }
}

extension StatedRequest {
    /// Adds the name of the operation of GraphQL that is to run.
    fileprivate mutating func operationName(_ name: String) {
        guard !name.isEmpty, let body else { return }
        let text = String(decoding: body.dropLast(), as: UTF8.self)
        self.body = Array("\(text),\"operationName\":\(OrderedJSON.string(name).compact)}".utf8)
    }
}
