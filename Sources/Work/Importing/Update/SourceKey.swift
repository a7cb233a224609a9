/// The key that identifies a request in another version of the source: the name of the request in the source, or the method and
/// the path.
struct SourceKey {
    private let name: String?
    /// The method and the path without the names of its params.
    private let methodAndPath: String

    init(_ request: ImportedRequest) {
        name = request.key
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.contains("{{") ? "{}" : String(segment)
        }
        methodAndPath = "\(request.method) \(segments.joined(separator: "/"))"
    }

    /// The keys as strings, all of them different.
    ///
    /// - Parameter mask: Masks secrets, since the keys are written to a file.
    static func texts(_ keys: [SourceKey], _ mask: (String) -> String) -> [String] {
        let names = keys.map { mask($0.name ?? $0.methodAndPath) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        var seen: [String: Int] = [:]
        return zip(keys, names).map { key, name in
            let text = counts[name] == 1 ? name : "\(name) \(mask(key.methodAndPath))"
            let number = seen[text, default: 0] + 1
            seen[text] = number
            return number == 1 ? text : "\(text) \(number)"
        }
    }
}
