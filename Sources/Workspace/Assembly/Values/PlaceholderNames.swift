import ReqcliBasics
import ReqcliText

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
