import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// The names of the placeholders of many files. Each file is read once, when a name is needed.
package final class PlaceholderBook: Sendable {
    /// The files are kept, so that no other one has the same identity.
    private let files = Mutex<[ObjectIdentifier: (file: SourceFile, names: PlaceholderNames)]>([:])

    package init() {}

    /// The name of the placeholder at a place, such as `endpoints/todos.json#/headers/X-Id 0 0`.
    package func name(of place: Place, in workspace: Workspace) -> String {
        let names = files.withLock { files in
            let id = ObjectIdentifier(place.file)
            if let known = files[id] { return known.names }
            // A server reads the files again and again.
            if files.count >= 1_000 { files = [:] }
            let names = PlaceholderNames(of: place.file)
            files[id] = (place.file, names)
            return names
        }
        let start = place.range.lowerBound
        return "\(workspace.lastingName(of: place.file))#\(names[start] ?? "\(start)")"
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
struct PlaceholderNames {
    /// The offsets of the placeholders, in ascending order.
    private var starts: [Int] = []
    /// The text of each placeholder, as an index of `paths`, and the number of the placeholder in this text.
    private var spots: [(path: Int, number: Int)] = []
    private var paths: [String] = []

    init(of file: SourceFile) {
        if let root = JSONDocument.read(file, syntax: .commented).validRoot { add(root, "") }
    }

    /// The name of the placeholder at an offset, or of a value in this placeholder; nil if there is none.
    subscript(offset: Int) -> String? {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let spot = spots[low - 1]
        return "\(paths[spot.path]) \(spot.number) \(offset - starts[low - 1])"
    }

    private mutating func add(_ value: JSONValue, _ path: String) {
        switch value.kind {
        case .string: addPlaceholders(of: value, path)
        case .object:
            for member in value.members { add(member.value, "\(path)/\(JSONPointer.escaped(member.name))") }
        case .array: addElements(of: value, path)
        case .number, .true, .false, .null, .invalid: break
        }
    }

    private mutating func addElements(of list: JSONValue, _ path: String) {
        var counts: [String: Int] = [:]
        for element in list.elements {
            let name = element["name"]?.string.map { "=\(JSONPointer.escaped($0))" } ?? ""
            let count = counts[name, default: 0]
            counts[name] = count + 1
            add(element, "\(path)/\(name)#\(count)")
        }
    }

    private mutating func addPlaceholders(of value: JSONValue, _ path: String) {
        guard let text = value.string, text.utf8.contains(.openBrace) else { return }
        var offsets = value.textOffsets
        var number = 0
        for piece in TemplateReader(Array(text.utf8)) {
            guard case .placeholder(let content) = piece else { continue }
            starts.append(offsets.source(ofText: content.lowerBound - 2))
            spots.append((paths.count, number))
            number += 1
        }
        if number > 0 { paths.append(path) }
    }
}
