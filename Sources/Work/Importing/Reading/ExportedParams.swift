import ReqcliDefinitions
import ReqcliText

/// The variables of a file that `export` has written which stand for params, with their values as text.
struct ExportedParams {
    private var texts: [String: String?] = [:]

    /// - Parameter text: The value; nil if the caller has to give it.
    mutating func add(_ name: String, _ text: String?) {
        if texts[name] == nil { texts[name] = .some(text) }
    }

    /// Whether a file begins with the mark of `export`.
    static func isMarked(_ file: SourceFile) -> Bool {
        SourceLine.lines(of: file, atMost: 3).contains { $0.text == "# \(ExportMark.text)" }
    }

    /// The names of variables that a script reads as JSON: `JSON.parse(pm.variables.get("id"))`.
    static func jsonNames(inScript text: String) -> Set<String> {
        var names: Set<String> = []
        for mark in [#"JSON.parse(pm.variables.get(""#, #"JSON.parse(client.global.get(""#] {
            for range in text.ranges(of: mark) { names.insert(String(text[range.upperBound...].prefix { $0 != "\"" })) }
        }
        return names
    }

    /// Gives each request the params that it uses, and variables that stand for JSON the type of their value.
    ///
    /// - Parameter jsonNames: The names of each request that stand for JSON in its body.
    func apply(to api: inout ImportedAPI, _ jsonNames: [Set<String>]) {
        api.isExported = true
        for (index, names) in zip(api.requests.indices, jsonNames) {
            let used = api.requests[index].texts.flatMap { TemplateText($0).placeholders }
            var known = Set(api.requests[index].params.map(\.name))
            let values = api.requests[index].valueTexts
            for name in used {
                guard let text = texts[name], known.insert(name).inserted else { continue }
                let isText = values.contains("{{\(name)}}")
                let param = Self.definition(text, isJSON: names.contains(name), isText: isText)
                api.requests[index].params.append(OrderedJSON.Member(name, param))
            }
        }
        let all = jsonNames.reduce(into: Set<String>()) { $0.formUnion($1) }
        for index in api.environments.indices {
            api.environments[index].variables = api.environments[index].variables.map { variable in
                guard case .string(let text) = variable.value else { return variable }
                guard all.contains(variable.name) else { return variable }
                return OrderedJSON.Member(variable.name, OrderedJSON.parsed(text)?.escapingBraces ?? variable.value)
            }
        }
    }

    private static func definition(_ text: String?, isJSON: Bool, isText: Bool) -> OrderedJSON {
        guard let text, !text.contains("{{") else { return .object(["type": isJSON ? "json" : "string"]) }
        let value = isJSON ? OrderedJSON.parsed(text) ?? .string(text) : isText ? .string(text) : .typed(text)
        return .object(["type": .string(value.parameterType), "default": value])
    }
}

extension ImportedRequest {
    /// The texts that are values of the body or of a condition.
    fileprivate var valueTexts: Set<String> {
        var texts: Set<String> = []
        if let body, body.name == "json" || body.name == "graphql" { body.value.addTexts(to: &texts) }
        expect?.addTexts(to: &texts)
        return texts
    }
}

extension OrderedJSON {
    fileprivate func addTexts(to texts: inout Set<String>) {
        switch self {
        case .string(let text): texts.insert(text)
        case .array(let elements): for element in elements { element.addTexts(to: &texts) }
        case .object(let members): for member in members { member.value.addTexts(to: &texts) }
        case .null, .bool, .number: break
        }
    }

    /// The value that stands in JSON where a text without quotes does: a number for the text of one.
    var jsonOfText: OrderedJSON {
        guard case .string(let text) = self, let value = OrderedJSON.parsed(text) else { return self }
        if case .string = value { return self }
        return value.escapingBraces
    }

    /// The value of a text of JSON.
    static func parsed(_ text: String) -> OrderedJSON? {
        let document = JSONDocument.read(
            SourceFile(name: "value", text: text), limits: JSONReader.Limits(depth: 100, problems: 1))
        guard let root = document.validRoot, !root.hasRepeatedKeys else { return nil }
        return OrderedJSON(root)
    }
}
