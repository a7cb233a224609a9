import ReqcliBasics
import ReqcliDefinitions

/// Gives names to params, each name once.
package struct ParamNames: Sendable {
    private var names: UniqueNames

    package init(_ taken: some Sequence<String> = []) { names = UniqueNames(Set(taken)) }

    /// The name as a valid name of a param: `created_gt` for `created[gt]`, `grosse` for `größe`. Invalid characters are
    /// replaced.
    package static func clean(_ name: String) -> String {
        if Name.isValid(name) { return name }
        let words = Transliteration.latin(name).utf8.split {
            !(($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D)
        }
        let clean = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        return clean.isEmpty ? "value" : clean
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    mutating func insert(_ name: String) { names.insert(name) }

    /// The name, made valid for a param. If the name is taken, a number is added.
    mutating func free(_ name: String) -> String { names.free(Self.clean(name)) }

    /// The free name. After this call, the name is taken.
    package mutating func take(_ name: String) -> String { names.take(Self.clean(name)) }
}
