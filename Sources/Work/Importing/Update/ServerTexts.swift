import ReqcliDefinitions
import ReqcliText

/// The texts of a workspace that decide where its requests go: servers, proxies, and the variables and params in them.
struct ServerTexts {
    private(set) var all: Set<String> = []
    /// The variables and the defaults of params, by their names.
    private var values: [(name: String, text: String)] = []
    /// The names of placeholders in servers.
    private var names: Set<String> = []

    private static let serverKeys: Set = ["baseURL", "scheme", "host", "port", "proxy"]

    /// Collects the texts.
    ///
    /// - Parameter files: The contents of endpoint and environment files.
    init(_ files: [OrderedJSON]) {
        for file in files { collect(file) }
        // The value of a variable may contain other variables.
        var count = -1
        while count != names.count {
            count = names.count
            for value in values where names.contains(value.name) { addNames(of: value.text) }
        }
        for value in values where names.contains(value.name) { all.insert("\(value.name) = \(value.text)") }
    }

    private mutating func collect(_ value: OrderedJSON) {
        for element in value.arrayElements { collect(element) }
        for member in value.objectMembers ?? [] {
            if Self.serverKeys.contains(member.name) {
                for text in member.value.scalarTexts {
                    all.insert(text)
                    addNames(of: text)
                }
                continue
            }
            if member.name == "variables" {
                for variable in member.value.objectMembers ?? [] { add(variable.name, variable.value) }
            } else if member.name == "params" {
                for param in member.value.objectMembers ?? [] {
                    let samples = (param.value.objectMembers ?? []).filter { ["default", "enum"].contains($0.name) }
                    for sample in samples { add(param.name, sample.value) }
                }
            }
            collect(member.value)
        }
    }

    private mutating func add(_ name: String, _ value: OrderedJSON) {
        for text in value.scalarTexts { values.append((name, text)) }
    }

    private mutating func addNames(of text: String) { names.formUnion(TemplateText(text).placeholders) }
}

extension OrderedJSON {
    fileprivate var arrayElements: [OrderedJSON] { if case .array(let elements) = self { elements } else { [] } }

    /// All strings and numbers in the value.
    fileprivate var scalarTexts: [String] {
        switch self {
        case .string(let text), .number(let text): [text]
        case .array(let elements): elements.flatMap(\.scalarTexts)
        case .object(let members): members.flatMap(\.value.scalarTexts)
        case .null, .bool: []
        }
    }
}
