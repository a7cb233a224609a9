package import ReqcliJSONPath
package import ReqcliText

/// The paths that a comparison of shapes leaves out, the paths whose objects are maps, and whether the stub has placeholders.
package struct ShapeRules: Sendable {
    package var ignored: [JSONPath]
    package var maps: [JSONPath]
    private let isFilled: Bool

    /// - Parameter isFilled: Whether the stub's strings may have placeholders. A string with one can be any value in a response.
    package init(ignored: [JSONPath] = [], maps: [JSONPath] = [], isFilled: Bool = false) {
        self.ignored = ignored
        self.maps = maps
        self.isFilled = isFilled
    }

    package func shape(ofResponse root: JSONValue) throws(JSONPathLimit) -> JSONShape {
        var shape = JSONShape()
        try add(root, to: &shape)
        return shape
    }

    package func shape(ofStub root: JSONValue) throws(JSONPathLimit) -> JSONShape {
        var shape = JSONShape()
        try add(root, to: &shape, unknown: isFilled ? root.descendants.filter(\.hasPlaceholder) : [])
        return shape
    }

    package func add(
        _ root: JSONValue, to shape: inout JSONShape, unknown: [JSONValue] = []
    ) throws(JSONPathLimit) {
        func nodes(_ paths: [JSONPath]) throws(JSONPathLimit) -> [JSONValue] {
            var nodes: [JSONValue] = []
            for path in paths { nodes += try path.nodes(in: root) }
            return nodes
        }
        shape.add(root, ignoring: try nodes(ignored), unknown: unknown, maps: try nodes(maps))
    }
}

extension JSONValue {
    /// Whether the value is a string with a placeholder, such as `{{id}}`.
    fileprivate var hasPlaceholder: Bool {
        guard kind == .string, let string else { return false }
        return TemplateReader(Array(string.utf8)).contains { if case .placeholder = $0 { true } else { false } }
    }
}

/// Brings a stub's body up to date with live answers. Members that the answers lack are removed. Values that are new or have
/// another type are taken from the answers. All other bytes stay the same.
package struct ShapeUpdate {
    private let rules: ShapeRules
    private let shape: JSONShape
    private let values: [JSONValue]

    /// Prepares an update to the shape of the server's responses, which are called the answers.
    ///
    /// - Parameters:
    ///   - shape: The shape of the answers, before secrets were removed. The stub's shape has to agree with this shape.
    ///   - values: The answers without their secrets, from which values are taken.
    package init(to shape: JSONShape, values: [JSONValue], _ rules: ShapeRules = ShapeRules()) {
        self.rules = rules
        self.shape = shape
        self.values = values
    }

    /// The maximum number of rounds. Several rounds are needed, because a change can make the next difference visible. More
    /// rounds than this are hardly ever needed.
    private static let mostRounds = 20

    /// The text of the document with its stub body changed to the shape of the answers, as far as the values of the answers
    /// allow.
    ///
    /// - Parameter body: A function that finds the stub's body in the document. The body may be only a part of the document.
    package func updated(
        _ file: SourceFile, syntax: JSONSyntax = .strict, body: (JSONValue) -> JSONValue? = { $0 }
    ) throws(JSONPathLimit) -> [UInt8] {
        var bytes = file.bytes
        for _ in 0..<Self.mostRounds {
            let document = JSONDocument.read(SourceFile(name: file.name, bytes: bytes), syntax: syntax)
            guard let root = document.validRoot, let stub = body(root) else { break }
            let findings = try rules.shape(ofStub: stub).findings(against: shape)
            let edits = edits(of: stub, findings, JSONStyle(of: document))
            if edits.isEmpty { break }
            bytes = edits.applied(to: bytes)
        }
        return bytes
    }

    /// The changes of one round, in order. A change that overlaps an earlier one is left to the next round.
    func edits(of stub: JSONValue, _ findings: [ShapeFinding], _ style: JSONStyle) -> [TextEdit] {
        let places = PathTree(findings)
        let (old, new) = (places.matches(in: [stub]), places.matches(in: values))
        var edits: [TextEdit] = []
        for index in places.subjects.indices {
            edits += change(places.subjects[index], old[index], new[index], style)
        }
        var done = -1
        return edits.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
            .filter { edit in
                guard edit.range.lowerBound >= done else { return false }
                done = edit.range.upperBound
                return true
            }
    }

    private func change(
        _ subject: PathTree.Subject, _ old: [PathTree.Match], _ new: [PathTree.Match], _ style: JSONStyle
    ) -> [TextEdit] {
        switch subject {
        case .members(let gone, let added):
            let objects = new.map(\.value).filter { $0.kind == .object }
            let wanted = Set(added)
            let any = Self.values(of: wanted, in: objects)
            return old.enumerated().flatMap { index, match -> [TextEdit] in
                guard match.value.kind == .object else { return [] }
                let known = Set(match.value.members.map { MemberName($0.name) })
                let near = index < objects.count ? Self.values(of: wanted, in: [objects[index]]) : [:]
                let new = added.filter { !known.contains($0) }.compactMap { name in
                    (near[name] ?? any[name]).map { OrderedJSON.Member(name.text, OrderedJSON($0)) }
                }
                return match.value.changing(
                    removing: { gone.contains(MemberName($0.name)) }, adding: new, style: style)
            }
        case .type(let wrong, let missing):
            let fitting = new.filter { !missing.isDisjoint(with: JSONShape.Types($0.value.kind)) }
            return replace(old.filter { !wrong.isDisjoint(with: JSONShape.Types($0.value.kind)) }, fitting, style)
                ?? append(old, fitting, missing, style)
        case .format:
            let strings = new.filter { $0.value.kind == .string }
            let plain = strings.filter { StringFormats($0.value.string ?? "").isEmpty }
            return replace(old.filter { $0.value.kind == .string }, plain.isEmpty ? strings : plain, style) ?? []
        }
    }

    /// The first value of each of these members.
    private static func values(of names: Set<MemberName>, in objects: [JSONValue]) -> [MemberName: JSONValue] {
        var values: [MemberName: JSONValue] = [:]
        for member in objects.lazy.flatMap(\.members) {
            let name = MemberName(member.name)
            if names.contains(name), values[name] == nil { values[name] = member.value }
        }
        return values
    }

    private func replace(_ old: [PathTree.Match], _ new: [PathTree.Match], _ style: JSONStyle) -> [TextEdit]? {
        guard !old.isEmpty, !new.isEmpty else { return nil }
        return old.enumerated().map { index, match in
            match.value.replaced(by: OrderedJSON(new[index % new.count].value), style: style)
        }
    }

    /// Adds an element of the answer for each missing type to the list or the map around a path. No element is replaced,
    /// because all existing values are right.
    private func append(
        _ old: [PathTree.Match], _ new: [PathTree.Match], _ missing: JSONShape.Types, _ style: JSONStyle
    ) -> [TextEdit] {
        guard let container = old.lazy.compactMap(\.container).first else { return [] }
        var open = missing
        let items = new.compactMap { match -> (key: String?, value: OrderedJSON)? in
            let type = JSONShape.Types(match.value.kind)
            guard !open.isDisjoint(with: type), let item = match.item else { return nil }
            open.subtract(type)
            return (match.key, OrderedJSON(item))
        }
        if container.kind == .array { return container.adding(items.map(\.value), style: style) }
        let members = items.compactMap { item in item.key.map { OrderedJSON.Member($0, item.value) } }
        let names = Set(members.map { MemberName($0.name) })
        return container.changing(
            removing: { names.contains(MemberName($0.name)) }, adding: members, style: style)
    }
}
