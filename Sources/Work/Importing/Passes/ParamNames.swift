import ReqcliBasics
import ReqcliDefinitions

/// The names of params, each of which is given once.
package struct ParamNames: Sendable {
    private var names: UniqueNames

    package init(_ taken: some Sequence<String> = []) { names = UniqueNames(taken) }

    /// A name as a param can have it: `created_gt` for `created[gt]`.
    package static func clean(_ name: String) -> String {
        if Name.isValid(name) { return name }
        let words = name.utf8.split { !(($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D) }
        let clean = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        return clean.isEmpty ? "value" : clean
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    mutating func insert(_ name: String) { names.insert(name) }

    /// The name as a param can have it, with a number if it is taken.
    mutating func free(_ name: String) -> String { names.free(Self.clean(name)) }

    /// The free name, which is taken from now on.
    package mutating func take(_ name: String) -> String { names.take(Self.clean(name)) }
}
