import ReqcliBasics
import ReqcliText

extension Keyword {
    static let references = [
        Keyword("$ref", in: ["core"]) { value, program in Reference("$ref", value, &program) },
        Keyword("$dynamicRef", since: .draft202012, in: ["core"]) { value, program in
            Reference(
                "$dynamicRef", value, dynamicName: URIReference(value.string ?? "").fragment?.percentDecoded, &program)
        },
        Keyword("$recursiveRef", since: .draft201909, until: .draft201909, in: ["core"]) { value, program in
            Reference("$recursiveRef", value, dynamicName: SchemaLibrary.recursiveAnchor, &program)
        },
    ]
}

/// A reference to another schema, which the value must fit, too.
struct Reference: Rule {
    private let keyword: String
    private let target: Int
    /// The name of the anchor whose outermost schema is the real target; nil if `target` is.
    private let dynamicName: String?

    /// - Parameter dynamicName: The name of the dynamic anchor. If the target has no such anchor, the reference is treated as a plain
    ///   `$ref`.
    init?(_ keyword: String, _ value: JSONValue, dynamicName: String? = nil, _ program: inout ProgramBuilder) {
        guard let target = program.target(of: value) else { return nil }
        self.keyword = keyword
        self.target = program.linked(program.reached(target), .also)
        let anchors = program.library.resources[target.resource].dynamicAnchors
        let anchor = dynamicName.flatMap { anchors[$0] }
        let isDynamic = anchor.map { dynamicName == SchemaLibrary.recursiveAnchor || Spot($0) == Spot(target.value) }
        self.dynamicName = isDynamic == true ? dynamicName : nil
        self.dynamicName.map { program.useDynamicAnchor($0) }
    }

    func acceptsEverything(_ accepts: (Int) -> Bool) -> Bool { dynamicName == nil && accepts(target) }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        run.follow(dynamicName.flatMap { run.dynamicTarget($0) } ?? target, keyword, nil, value)
    }
}
