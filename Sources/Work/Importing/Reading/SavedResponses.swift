import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Variants of responses that a collection has saved, each with a name of its own.
struct SavedResponses {
    private(set) var variants: [ImportedVariant] = []
    /// Whether `export` has written the source: names and texts stay as they are.
    private let isExported: Bool
    private var names = UniqueNames()

    init(isExported: Bool = false) { self.isExported = isExported }

    /// - Parameter name: The name that people gave it; without one it is the status.
    mutating func add(_ name: String, status: Int, headers: [(name: String, value: String)], text: String) {
        let type = headers.first { $0.name.lowercased() == "content-type" }.map { MediaType($0.value) }
        let words = isExported && Name.isValid(name) ? name : Words.kebab(name.withoutTokens)
        var variant = ImportedVariant(words.isEmpty ? "\(status)" : String(words.prefix(64)), status: status)
        variant.name = names.take(variant.name)
        if !text.isEmpty { variant.body = .recorded(text, type) }
        if isExported, case .json(let value)? = variant.body, value.pretty != text { variant.body = .text(text) }
        variant.headers = ImportedVariant.headers(headers, variant.body)
        variants.append(variant)
    }
}
