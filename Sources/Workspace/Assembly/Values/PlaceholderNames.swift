import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// The names of the placeholders of many files. Each file is read once, when a name is needed.
package final class PlaceholderBook: Sendable {
    private let files = Mutex<[ObjectIdentifier: PlaceholderNames]>([:])

    package init() {}

    /// The name of the placeholder at a place, such as `endpoints/todos.json#/headers/X-Id 0 0`.
    package func name(of place: Place, in workspace: Workspace) -> String {
        return files.withLock { files in
            let id = ObjectIdentifier(place.file)
            // A server reads the files again and again.
            if files.count >= 1_000, files[id] == nil { files = [:] }
            return files[
                id, default: PlaceholderNames(of: place.file, named: workspace.lastingName(of: place.file))
            ].name(at: place.range.lowerBound)
        }
    }
}

extension Workspace {
    /// The path of a file from the root, wherever the command runs; the name of a file that is elsewhere.
    fileprivate func lastingName(of file: SourceFile) -> String {
        let path = FilePath.tidy(FilePath.join(currentFolder, file.name))
        if FilePath.isInside(path, root) { return FilePath.shown(path, from: root) }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}

/// Names for the placeholders of a JSON file, which stay when something else is added to the file: the path of the text, and the
/// number of the placeholder in this text.
///
/// In a path, an element with a member `name` is known by this name, such as a check or a step. Other elements are counted.
struct PlaceholderNames: Sendable {
    let file: String
    /// The file's content; nil if it has mistakes.
    private let root: JSONValue?
    /// The parts of the objects and lists on the way to a placeholder, by the offset of each.
    private var parts: [Int: [Part]] = [:]
    /// The starts of the placeholders in each text, by the offset of the text.
    private var texts: [Int: [Int]] = [:]

    /// A member or an element.
    fileprivate struct Part {
        let value: JSONValue
        let name: String
        var start: Int { value.range.lowerBound }
    }

    init(of file: SourceFile, named name: String) {
        self.file = name
        root = JSONDocument.read(file, syntax: .commented).validRoot
    }

    /// The name of the placeholder at an offset, or of a value in this placeholder; the offset if there is none.
    mutating func name(at offset: Int) -> String {
        var path = ""
        var next = root
        while let value = next {
            if value.kind == .string {
                guard let found = placeholder(in: value, at: offset) else { break }
                return "\(file)#\(path) \(found.number) \(found.distance)"
            }
            let parts = parts[value.range.lowerBound] ?? Self.parts(of: value)
            self.parts[value.range.lowerBound] = parts
            guard let part = parts.last(before: offset) else { break }
            path += "/\(value.kind == .object ? JSONPointer.escaped(part.name) : part.name)"
            next = part.value
        }
        return "\(file)#\(offset)"
    }

    private static func parts(of value: JSONValue) -> [Part] {
        guard value.kind == .array else { return value.members.map { Part(value: $0.value, name: $0.name) } }
        var counts: [String: Int] = [:]
        return value.elements.map { element in
            let name = element["name"]?.string.map { "=\(JSONPointer.escaped($0))" } ?? ""
            defer { counts[name, default: 0] += 1 }
            return Part(value: element, name: "\(name)#\(counts[name] ?? 0)")
        }
    }

    /// The number of the placeholder in a text, and the distance of an offset from its start.
    private mutating func placeholder(in value: JSONValue, at offset: Int) -> (number: Int, distance: Int)? {
        let starts = texts[value.range.lowerBound] ?? Self.starts(in: value)
        texts[value.range.lowerBound] = starts
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? (low - 1, offset - starts[low - 1]) : nil
    }

    private static func starts(in value: JSONValue) -> [Int] {
        var offsets = value.textOffsets
        return TemplateReader(Array((value.string ?? "").utf8)).compactMap { piece in
            guard case .placeholder(let content) = piece else { return nil }
            return offsets.source(ofText: content.lowerBound - 2)
        }
    }
}

extension Array where Element == PlaceholderNames.Part {
    /// The last part that begins at or before an offset. The parts are in the order of the text.
    fileprivate func last(before offset: Int) -> Element? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? self[low - 1] : nil
    }
}
