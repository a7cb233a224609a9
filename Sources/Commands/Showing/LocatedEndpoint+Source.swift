import Definitions
import SourceText

extension LocatedEndpoint {
    /// The file's outermost object, as written.
    private var fileObject: JSONValue? {
        JSONDocument.read(file, syntax: file.name.hasSuffix(".jsonc") ? .commented : .strict).root
    }

    /// The definition, as its file has it.
    var source: OrderedJSON {
        guard let group else { return fileObject.map { OrderedJSON($0) } ?? .null }
        let name = String(id.dropFirst(group.count + 1))
        return fileObject?["endpoints"]?[name].map { OrderedJSON($0) } ?? .null
    }

    /// The `defaults` of its group, as the file has them.
    var sourceOfDefaults: OrderedJSON? {
        group == nil ? nil : fileObject?["defaults"].map { OrderedJSON($0) }
    }
}

extension OrderedJSON {
    /// The members of an object; none for anything else.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}
