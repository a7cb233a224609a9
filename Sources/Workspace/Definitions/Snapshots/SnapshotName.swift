import ReqcliBasics

/// The name of a snapshot's file, which says whose it is: `user.get`, `user.get.is_there`, `user.get#id=1`.
///
/// Only bytes that are safe in every file system stand for themselves, so no name leads out of the folder. Different
/// checks and different values never have the same name.
package struct SnapshotName: Hashable, Sendable {
    package static let folder = "snapshots"
    fileprivate static let suffix = ".json"

    /// The name without its ending.
    package let stem: String

    package var file: String { stem + Self.suffix }
    /// The path of the file, from the root of the workspace.
    package var path: String { "\(Self.folder)/\(file)" }

    /// The name without the row of data: the name of the case.
    package var ofCase: SnapshotName { SnapshotName(stem: String(stem.prefix { $0 != "#" })) }

    private init(stem: String) { self.stem = stem }

    /// The name of a case, without a row of data. An endpoint's own case has no check.
    package init(endpoint id: String, check: String? = nil) {
        stem = Self.shortened(id + (check.map { "." + Self.escaped($0) } ?? ""), to: 120)
    }

    /// The name of the file in `snapshots/`; nil for a file that is none.
    package init?(file: String) {
        guard !file.hasPrefix("."), file.hasSuffix(Self.suffix), file != Self.suffix else { return nil }
        stem = String(file.dropLast(Self.suffix.count))
    }

    /// The name for a row of data: by its values and not by its number, so that a new row renames no file.
    ///
    /// - Parameter number: Counts the rows that have the same values, from 1.
    package func row(_ values: [(name: String, value: String)], number: Int = 1) -> SnapshotName {
        let pairs = values.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: ",")
        let text = pairs.isEmpty ? "row" : Self.shortened(pairs, to: 90)
        return SnapshotName(stem: "\(stem)#\(text)\(number > 1 ? "~\(number)" : "")")
    }

    /// A text in which only letters, digits and `-` stand for themselves. A space becomes `_`.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte.isAlphanumeric || byte == .minus {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else if byte == .space {
                result += "_"
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// File systems allow 255 bytes. The end of a longer text becomes a hash of the whole.
    private static func shortened(_ text: String, to limit: Int) -> String {
        if text.utf8.count <= limit { return text }
        let hash = String(StableHash.of(text), radix: 16)
        return text.prefix(limit - 17) + "~" + String(repeating: "0", count: 16 - hash.count) + hash
    }
}

extension LocatedEndpoint {
    /// Whether the endpoint's own case has a snapshot in some environment.
    var hasSnapshot: Bool {
        let own = definition.flatMapLayers { [$0.expectation].compactMap(\.self) }
        let inherited = definition.request.expectation == nil ? defaults?.expectation : nil
        return (own + [inherited].compactMap(\.self)).contains { $0.set?.snapshot != nil }
    }

    /// The names of the snapshots of all cases in all environments.
    package var snapshotNames: [SnapshotName] {
        let checks = definition.checks.filter { $0.expectation?.snapshot != nil }.compactMap(\.name)
        return (hasSnapshot ? [SnapshotName(endpoint: id)] : [])
            + checks.map { SnapshotName(endpoint: id, check: $0.value) }
    }
}
