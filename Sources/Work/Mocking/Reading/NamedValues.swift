import ReqcliRedaction
import ReqcliText

extension IncomingRequest {
    /// The query items, the headers, or the fields of a form.
    func fields(in part: Part) -> [Field] {
        switch part {
        case .query: query
        case .headers: headers
        case .body: formFields ?? []
        }
    }
}

extension IncomingRequest.Part {
    /// Whether a value looks like a secret because of its name, its shape and its part of the request.
    func isLikelySecret(_ name: String, _ value: OrderedJSON) -> Bool {
        switch (self, value) {
        case (.headers, _): LikelySecret.isHeader(name)
        case (.query, .string(let text)), (.body, .string(let text)): LikelySecret.isSecret(name, text)
        case (_, .number), (_, .array): LikelySecret.isName(name)
        case (_, .object), (_, .bool), (_, .null): false
        }
    }
}

extension OrderedJSON {
    /// The value with some of its parts replaced. Each part is visited with the name of its nearest member, the outer parts first.
    ///
    /// - Parameters:
    ///   - name: The name of the member that has the value; nil if no member has it.
    ///   - rename: Changes the name of a member.
    ///   - replacement: The new value; nil to keep the value and to visit its parts.
    func replacing(
        named name: String? = nil, renaming rename: (String) -> String = { $0 },
        _ replacement: (_ name: String?, _ value: OrderedJSON) -> OrderedJSON?
    ) -> OrderedJSON {
        if let other = replacement(name, self) { return other }
        switch self {
        case .object(let members):
            return .object(
                members.map { member in
                    Member(
                        rename(member.name),
                        member.value.replacing(named: member.name, renaming: rename, replacement))
                })
        case .array(let elements):
            return .array(elements.map { $0.replacing(named: name, renaming: rename, replacement) })
        case .string, .number, .bool, .null: return self
        }
    }

    /// The strings, numbers and other single values, each with the name of its nearest member.
    var namedValues: [(name: String, value: OrderedJSON)] { namedValues(below: "") }

    private func namedValues(below name: String) -> [(name: String, value: OrderedJSON)] {
        switch self {
        case .object(let members): members.flatMap { $0.value.namedValues(below: $0.name) }
        case .array(let elements): elements.flatMap { $0.namedValues(below: name) }
        case .string, .number, .bool, .null: [(name, self)]
        }
    }
}
