import ReqcliDefinitions
import ReqcliText

/// Follows a JSON value along the tables that describe it.
struct SchemaWalk {
    /// One key of one table, met at one place of a value.
    struct Met: Hashable {
        /// `endpoint.method`
        let key: String
        let path: [Step]
    }

    enum Step: Hashable {
        case member(Int)
        case element(Int)
    }

    private(set) var met: [Met] = []

    mutating func walk(_ value: OrderedJSON, _ object: ObjectSchema, at path: [Step] = []) {
        guard case .object(let members) = value else { return }
        for (index, member) in members.enumerated() {
            guard let field = object.fields.first(where: { $0.name == member.name }) else { continue }
            let inside = path + [.member(index)]
            met.append(Met(key: "\(object.name).\(field.name)", path: inside))
            walk(member.value, field.value, at: inside)
        }
    }

    private mutating func walk(_ value: OrderedJSON, _ node: SchemaNode, at path: [Step]) {
        switch (node, value) {
        case (.object(let object), .object): walk(value, object, at: path)
        case (.named(_, let inner), _): walk(value, inner(), at: path)
        case (.either(let nodes), _): for node in nodes { walk(value, node, at: path) }
        case (.list(let element, _), .array(let elements)):
            for (index, value) in elements.enumerated() { walk(value, element, at: path + [.element(index)]) }
        case (.dictionary(_, let inner), .object(let members)):
            for (index, member) in members.enumerated() where !ObjectSchema.isMetadataKey(member.name) {
                walk(member.value, inner, at: path + [.member(index)])
            }
        default: break
        }
    }

    /// Every key of every table that can be reached from some.
    static func allKeys(from roots: [ObjectSchema]) -> [String] {
        var keys: [String] = []
        for object in ObjectSchema.reachable(from: roots) { keys += object.fields.map { "\(object.name).\($0.name)" } }
        return keys
    }
}

extension OrderedJSON {
    /// The value without the member at the end of a path.
    func removing(_ path: ArraySlice<SchemaWalk.Step>) -> OrderedJSON {
        guard let step = path.first else { return self }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.member(let index), .object(var members)):
            if rest.isEmpty {
                members.remove(at: index)
            } else {
                members[index] = Member(members[index].name, members[index].value.removing(rest))
            }
            return .object(members)
        case (.element(let index), .array(var elements)):
            elements[index] = elements[index].removing(rest)
            return .array(elements)
        default: return self
        }
    }
}
