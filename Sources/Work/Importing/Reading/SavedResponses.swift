import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Variants for the saved responses of a collection, each with a different name.
struct SavedResponses {
    private(set) var variants: [ImportedVariant] = []
    private var names = UniqueNames()

    /// Adds a saved response as a variant.
    ///
    /// - Parameter name: The name of the response in the collection. If the name is empty, the status is used as the name.
    mutating func add(_ name: String, status: Int, headers: [(name: String, value: String)], text: String) {
        let type = headers.first { $0.name.lowercased() == "content-type" }.map { MediaType($0.value) }
        let words = Words.kebab(name.withoutTokens)
        var variant = ImportedVariant(words.isEmpty ? "\(status)" : String(words.prefix(64)), status: status)
        variant.name = names.take(variant.name)
        if !text.isEmpty { variant.body = .recorded(text, type) }
        variant.headers = ImportedVariant.headers(headers, variant.body)
        variants.append(variant)
    }
}
