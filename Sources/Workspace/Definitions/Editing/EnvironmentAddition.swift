package import ReqcliText

/// The new content of an environment's file to which members were added. The file is not written yet.
package struct EnvironmentAddition: Sendable {
    /// The path relative to the workspace's root.
    package let path: String
    package let bytes: [UInt8]
    package let isThere: Bool
    /// Members that the file already has with another value. Their values stay unchanged.
    package let different: [(name: String, place: Place)]
}

extension Workspace {
    /// Adds members to an environment's file, and makes the file if it doesn't exist. Existing values in the file stay unchanged.
    /// To an object such as `secrets`, only the missing names are added.
    package func addition(
        of members: [OrderedJSON.Member], toEnvironment name: String
    ) throws(EditProblem) -> EnvironmentAddition {
        guard let entry = environmentEntries(named: name).value.first else {
            let file = newFile("environments/\(name).json", .object(members), isThere: false)
            return EnvironmentAddition(path: file.path, bytes: file.bytes, isThere: false, different: [])
        }
        let (document, root) = try read(entry)
        let style = JSONStyle(of: document)
        var different: [(name: String, place: Place)] = []
        var edits: [TextEdit] = []
        var new: [OrderedJSON.Member] = []
        for member in members {
            guard let known = root[member.name] else {
                new.append(member)
                continue
            }
            guard case .object(let inner) = member.value, known.kind == .object else {
                if OrderedJSON(known) != member.value { different.append((member.name, root.placeOfKey(member.name))) }
                continue
            }
            for item in inner {
                guard let value = known[item.name], OrderedJSON(value) != item.value else { continue }
                different.append(("\(member.name).\(item.name)", known.placeOfKey(item.name)))
            }
            edits += known.adding(inner.filter { known[$0.name] == nil }, style: style)
        }
        edits += root.adding(new, style: style)
        let bytes = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.applied(to: document.file.bytes)
        return EnvironmentAddition(path: entry.path, bytes: bytes, isThere: true, different: different)
    }
}
