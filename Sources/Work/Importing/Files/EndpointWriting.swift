import ReqcliDefinitions
import ReqcliText

extension ImportedRequest {
    /// The definition of the endpoint, and the files below `stubs/` with bodies of its variants.
    ///
    /// - Parameter isExported: Whether `export` has written the source. If so, no `expect` is added to the variants.
    func definition(id: String, isExported: Bool) -> (json: OrderedJSON, stubFiles: [ImportedFile]) {
        var files: [ImportedFile] = []
        var variants: [OrderedJSON.Member] = []
        // If no variant has an expected status, the expectation must fail for each variant.
        let hasExpected = expect.map { expect in self.variants.contains { expect.accepts(status: $0.status) } } ?? true
        let mustFail = !isExported && !hasExpected
        for variant in self.variants {
            let (json, file) = variant.definition(id: id, mustFail: mustFail)
            variants.append(OrderedJSON.Member(variant.name, json))
            if let file { files.append(file) }
        }
        let query: OrderedJSON? =
            switch self.query {
            case .items(let items): items.nonEmpty
            case .text(let text): text.isEmpty ? nil : .string(text)
            }
        let head: [OrderedJSON.Member] = .present([
            "description": description.flatMap { $0.isEmpty ? nil : .string($0) },
            "tags": tags.isEmpty ? nil : .array(tags.map { .string($0) }),
            "method": method == "GET" ? nil : .string(method),
            "baseURL": base.map { .string($0) },
            "path": .string(path),
            "params": params.map { OrderedJSON.Member($0.name, $0.json) }.nonEmpty,
            "query": query,
            "headers": headers.nonEmpty,
            "auth": auth.json,
        ])
        let tail: [OrderedJSON.Member] = .present([
            "body": body.map { body in
                .object([body.member] + (bodySchema.map { [OrderedJSON.Member("schema", $0)] } ?? []))
            },
            "needs": needs.map { OrderedJSON.Member($0.alias, $0.json) }.nonEmpty,
            "capture": captures.map { OrderedJSON.Member($0.name, $0.json) }.nonEmpty,
            "expect": expect,
            "response": response,
            "stubs": variants.nonEmpty.map { .object(["variants": $0]) },
        ])
        return (.object(head + settings.nested + tail), files)
    }
}

extension [OrderedJSON.Member] {
    /// Sets a transfer setting. A setting that is set again moves to the end.
    mutating func set(_ name: String, _ value: OrderedJSON) {
        removeAll { $0.name == name }
        append(OrderedJSON.Member(name, value))
    }

    /// Transfer settings as a layer writes them: `{"redirects": {"follow": true}}` for `redirects.follow`.
    var nested: [OrderedJSON.Member] {
        let groups = Dictionary(grouping: self) { $0.name.prefix { $0 != "." } }
        var written: Set<Substring> = []
        return compactMap { setting in
            let key = setting.name.prefix { $0 != "." }
            guard written.insert(key).inserted, let members = groups[key] else { return nil }
            // A duration alone limits the whole transfer.
            if members.count == 1, setting.name == key || setting.name == "timeout.total" {
                return OrderedJSON.Member(String(key), setting.value)
            }
            return OrderedJSON.Member(
                String(key),
                .object(members.map { OrderedJSON.Member(String($0.name.dropFirst(key.count + 1)), $0.value) }))
        }
    }
}

extension ImportedNeed {
    fileprivate var json: OrderedJSON {
        if params.isEmpty { return .string(endpoint) }
        let with = params.map { OrderedJSON.Member($0, .string("{{\($0)}}")) }
        return .object(["endpoint": .string(endpoint), "with": .object(with)])
    }
}

extension ImportedCapture {
    fileprivate var json: OrderedJSON {
        let secret: OrderedJSON? = isSecret ? true : nil
        return switch source {
        case .json(let path): .object(["json": .string(path), "secret": secret])
        case .header(let name, let match):
            .object(["header": .string(name), "match": match.map { .string($0) }, "secret": secret])
        case .cookie(let name): .object(["cookie": .string(name), "secret": secret])
        case .body: .object(["body": true, "secret": secret])
        case .status: .object(["status": true, "secret": secret])
        case .url: .object(["url": true, "secret": secret])
        }
    }
}

extension ImportedBody {
    fileprivate var member: OrderedJSON.Member {
        switch self {
        case .json(let value): OrderedJSON.Member("json", value)
        case .text(let text): OrderedJSON.Member("text", .string(text))
        case .base64(let text): OrderedJSON.Member("base64", .string(text))
        case .file(let path): OrderedJSON.Member("file", .string(path))
        case .form(let fields): OrderedJSON.Member("form", .object(fields))
        case .multipart(let parts): OrderedJSON.Member("multipart", .object(parts))
        case .graphQL(let members): OrderedJSON.Member("graphql", .object(members))
        }
    }

    /// A body in the notation of endpoint files; nil for an unknown kind.
    init?(notation: OrderedJSON.Member) {
        switch (notation.name, notation.value) {
        case ("json", let value): self = .json(value)
        case ("text", .string(let text)): self = .text(text)
        case ("base64", .string(let text)): self = .base64(text)
        case ("file", .string(let path)): self = .file(path)
        case ("form", .object(let fields)): self = .form(fields)
        case ("multipart", .object(let parts)): self = .multipart(parts)
        case ("graphql", .object(let members)): self = .graphQL(members)
        default: return nil
        }
    }
}

extension ImportedAuth {
    /// The member of a file's layer; nil if the credentials are inherited.
    var member: OrderedJSON.Member? { json.map { OrderedJSON.Member("auth", $0) } }

    var json: OrderedJSON? {
        switch self {
        case .inherited: nil
        case .none: .null
        case .bearer(let token): .object(["bearer": .string(token)])
        case .account(let kind, let user, let password):
            .object([
                OrderedJSON.Member(
                    kind.rawValue, .object(["user": .string(user), "password": .string(password)]))
            ])
        case .apiKey(let place, let name, let value):
            .object([
                "apiKey": .object([
                    OrderedJSON.Member(place.rawValue, .string(name)), OrderedJSON.Member("value", .string(value)),
                ])
            ])
        case .other(let key, let value): .object([OrderedJSON.Member(key, value)])
        }
    }

    /// Credentials in the notation of endpoint files. Credentials of an unknown kind are left out.
    init(notation: JSONValue) {
        self = .none
        guard let kind = notation.members.first(where: { _ in true }) else { return }
        func text(_ key: String) -> String { kind.value[key]?.scalarText ?? "" }
        if kind.name == "bearer", let token = kind.value.scalarText { self = .bearer(token) }
        if let account = AccountKind(rawValue: kind.name) {
            self = .account(account, user: text("user"), password: text("password"))
        }
        if kind.name == "apiKey" {
            let place = Credentials.APIKeyPlace(rawValue: kind.value["query"] == nil ? "header" : "query") ?? .header
            self = .apiKey(place, name: text(place.rawValue), value: text("value"))
        }
        if ["hmac", "aws", "jwt"].contains(kind.name) { self = .other(key: kind.name, OrderedJSON(kind.value)) }
    }
}

extension ImportedParam {
    fileprivate var json: OrderedJSON {
        let values: [OrderedJSON.Member] = .present([
            "description": description.map { .string($0) }, "required": required.map { .bool($0) },
            "default": defaultValue, "example": example, "secret": secret.map { .bool($0) },
            "deprecated": isDeprecated ? true : nil,
        ])
        let members = [OrderedJSON.Member("type", .string(kind.rawValue))] + limits + values
        func rank(_ member: OrderedJSON.Member) -> Int { order.firstIndex(of: member.name) ?? order.count }
        return .object(order.isEmpty ? members : members.sorted { rank($0) < rank($1) })
    }

    /// A param in the notation of endpoint files.
    init(_ name: String, notation: JSONValue) {
        self.init(
            name, notation["type"]?.string.flatMap { Parameter.Kind(rawValue: $0) } ?? .string,
            description: notation["description"]?.string, required: notation["required"]?.bool,
            defaultValue: notation["default"].map { OrderedJSON($0) },
            example: notation["example"].map { OrderedJSON($0) },
            secret: notation["secret"]?.bool)
        order = notation.members.map(\.name)
        isDeprecated = notation["deprecated"]?.bool == true
        let known: Set = ["type", "description", "required", "default", "example", "secret", "deprecated"]
        limits = notation.members.filter { !known.contains($0.name) }.map {
            OrderedJSON.Member($0.name, OrderedJSON($0.value))
        }
    }
}

/// A file to be written in addition to the files of endpoints and environments.
package struct ImportedFile: Sendable, Equatable {
    /// The path in the workspace.
    package let path: String
    package let bytes: [UInt8]
    /// The endpoint that the file belongs to; nil if it belongs to all.
    var endpoint: String?
}

extension ImportedVariant {
    /// The size of the largest body that is written into the endpoint's file, in bytes.
    private static let largestInPlace = 1024

    fileprivate func definition(id: String, mustFail: Bool) -> (json: OrderedJSON, file: ImportedFile?) {
        var file: ImportedFile?
        func stored(_ suffix: String, _ bytes: [UInt8]) -> OrderedJSON.Member {
            let name = "\(id).\(name).\(suffix)"
            file = ImportedFile(path: "stubs/\(name)", bytes: bytes, endpoint: id)
            return OrderedJSON.Member("file", .string(name))
        }
        let content: OrderedJSON.Member? =
            switch body {
            case .json(let value) where value.compact.utf8.count > Self.largestInPlace:
                stored("json", Array((value.pretty + "\n").utf8))
            case .json(let value): OrderedJSON.Member("json", value)
            case .text(let text) where text.utf8.count > Self.largestInPlace: stored("txt", Array(text.utf8))
            case .text(let text): OrderedJSON.Member("text", .string(text))
            case .bytes(let bytes): stored("bin", bytes)
            case nil: nil
            }
        let members: [OrderedJSON.Member] = .present([
            "description": description.map { .string($0) }, "expect": mustFail ? "fail" : nil,
            "status": status == 200 ? nil : .int(status), "headers": headers.nonEmpty,
        ])
        return (.object(members + [content].compactMap(\.self)), file)
    }
}

extension OrderedJSON {
    /// Whether the value of `expect` accepts a status. The other conditions of `expect` are ignored.
    fileprivate func accepts(status: Int) -> Bool {
        guard let value = objectMembers?.first(where: { $0.name == "status" })?.value else {
            return (200...299).contains(status)
        }
        let accepted = if case .array(let values) = value { values } else { [value] }
        return accepted.contains { $0 == .int(status) || $0 == .string("\(status / 100)xx") }
    }
}
