import ReqcliBasics
import ReqcliText

@testable import ReqcliDefinitions

/// Writes each object as a section with a table of its keys, without duplicates and in the order of the reference.
struct ReferencePage {
    private(set) var text = ""
    /// Keys that several objects share, described in a table of their own.
    private let shared: [FieldSchema]
    private var known: Set<String> = []
    private var waiting: [ObjectSchema] = []

    init(shared: [FieldSchema]) {
        self.shared = shared
    }

    mutating func add(_ paragraph: String) { text += (text.isEmpty ? "" : "\n") + paragraph + "\n" }

    /// Adds an object and everything that its keys hold.
    mutating func take(_ object: ObjectSchema) {
        waiting.append(object)
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            if known.insert(next.name).inserted { section(next) }
        }
    }

    mutating func addShared(heading: String, introduction: String) {
        add("## \(heading)\n\n\(introduction)")
        add(table(shared, of: nil))
        for object in waiting where known.insert(object.name).inserted { section(object) }
    }

    private mutating func section(_ object: ObjectSchema) {
        let sharedNames = Set(shared.map(\.name))
        let hasShared = sharedNames.isSubset(of: object.fields.map(\.name))
        let own = hasShared ? object.fields.filter { !sharedNames.contains($0.name) } : object.fields
        add("### \(object.heading)\n\n\(object.summary)")
        add(table(own, of: object))
        var remarks = object.rules.filter { !hasShared || !$0.isAbout(sharedNames) }.map(\.sentence)
        if hasShared { remarks.insert("Also accepts the \(Self.link(FormatReference.sharedHeading)).", at: 0) }
        if !remarks.isEmpty { add(remarks.map { "- \($0)" }.joined(separator: "\n")) }
        if hasShared { for field in shared { note(field.value, in: object) } }
    }

    private mutating func table(_ fields: [FieldSchema], of object: ObjectSchema?) -> String {
        var rows = ["| key | takes | meaning |", "|---|---|---|"]
        for field in fields {
            note(field.value, in: object)
            let key = "`\(field.name)`" + (field.isRequired ? " (required)" : "")
            rows.append("| \(key) | \(Self.takes(field, in: object)) | \(Self.cell(field.summary)) |")
        }
        return rows.joined(separator: "\n")
    }

    /// Queues the objects in a value, which get their sections later.
    private mutating func note(_ node: SchemaNode, in outer: ObjectSchema?) {
        waiting += node.objects.filter { !$0.isPart(of: outer) }
    }
}

// MARK: - Words

extension ReferencePage {
    private static func takes(_ field: FieldSchema, in outer: ObjectSchema?) -> String {
        let objects = field.value.objects
        guard let object = objects.first else { return cell(field.expects) }
        if object.isPart(of: outer) { return "an object of the other keys" }
        // An object and a list of such objects have the same heading.
        let headings = objects.map(\.heading).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let links = headings.map(link).joined(separator: ", ")
        if headings.count == 1, field.expects.contains("an object") {
            let link = "[an object](#\(anchor(object.heading)))"
            return cell(field.expects).replacing("an object", with: link, maxReplacements: 1)
        }
        return "\(cell(field.expects)); see \(links)"
    }

    private static func link(_ heading: String) -> String { "[\(heading)](#\(anchor(heading)))" }

    /// The anchor that Markdown renderers give a heading.
    private static func anchor(_ heading: String) -> String {
        String(heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}

extension ObjectSchema {
    /// The title without article or quotes.
    fileprivate var heading: String {
        if title.hasPrefix("\"") { return "`\(title.dropFirst().dropLast())`" }
        if title.contains(".") { return "`\(title)`" }
        let articles = ["a ", "an ", "the "]
        let plain = articles.first { title.hasPrefix($0) }.map { title.dropFirst($0.count) } ?? title[...]
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// Whether another object's table already describes this one: it has the same keys except the one that holds it.
    fileprivate func isPart(of outer: ObjectSchema?) -> Bool {
        guard let outer, outer.fields.count == fields.count + 1 else { return false }
        let known = Set(outer.fields.map { [$0.name, $0.summary] })
        return fields.allSatisfy { known.contains([$0.name, $0.summary]) }
    }
}

extension SchemaNode {
    /// The objects directly in a value, or in lists and dictionaries in it.
    fileprivate var objects: [ObjectSchema] {
        switch self {
        case .object(let object): [object]
        case .list(let element, _), .dictionary(_, let element): element.objects
        case .either(let nodes): nodes.flatMap(\.objects)
        // A named node that is not an object holds no new objects.
        case .named(_, let inner): if case .object(let object) = inner() { [object] } else { [] }
        default: []
        }
    }
}

extension KeySetRule {
    fileprivate var sentence: String {
        switch self {
        case .exactlyOne(let names): "Exactly one of \(Self.listed(names))."
        case .atMostOne(let names): "At most one of \(Self.listed(names))."
        case .atLeastOne(let names): "At least one of \(Self.listed(names))."
        case .excludes(let name, let others): "`\(name)` can't be combined with \(Self.listed(others))."
        case .needs(let name, let other): "`\(name)` is only allowed with `\(other)`."
        }
    }

    fileprivate func isAbout(_ names: Set<String>) -> Bool {
        if case .excludes(let name, let others) = self { names.isSuperset(of: others + [name]) } else { false }
    }

    private static func listed(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
