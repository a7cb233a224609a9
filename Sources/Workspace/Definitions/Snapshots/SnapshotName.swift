import ReqcliBasics

/// The name of a snapshot's file. The name says to which case the snapshot belongs: `user.get`, `user.get.is_there`,
/// `user.get#id=1`.
///
/// Bytes that are not safe in every file system are replaced, so no name leads out of the folder. Different checks and
/// different values never have the same name.
package struct SnapshotName: Hashable, Sendable {
    package static let folder = "snapshots"
    fileprivate static let suffix = ".json"

    /// The name without its ending.
    package let stem: String

    package var file: String { stem + Self.suffix }
    /// The path of the file, from the root of the workspace.
    package var path: String { "\(Self.folder)/\(file)" }

    /// The name of the snapshot's case, without the part for a row of data.
    package var ofCase: SnapshotName { SnapshotName(stem: String(stem.prefix { $0 != "#" })) }

    fileprivate init(stem: String) { self.stem = stem }

    /// The name of a case, without a row of data. `check` is nil for the endpoint's own case.
    package init(endpoint id: String, check: String? = nil) {
        stem = Self.shortened(id + (check.map { "." + Self.escaped($0) } ?? ""), to: 120)
    }

    /// The name of the file in `snapshots/`; nil if the file is not a snapshot.
    package init?(file: String) {
        guard !file.hasPrefix("."), file.hasSuffix(Self.suffix), file != Self.suffix else { return nil }
        stem = String(file.dropLast(Self.suffix.count))
    }

    /// The name for a row of data. It contains the values of the row and not its number, so that a new row doesn't rename the
    /// files of other rows.
    ///
    /// - Parameter number: The number of this row among the rows with the same values, from 1.
    package func row(_ values: [(name: String, value: String)], number: Int = 1) -> SnapshotName {
        let pairs = values.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: ",")
        let text = pairs.isEmpty ? "row" : Self.shortened(pairs, to: 90)
        return SnapshotName(stem: "\(stem)#\(text)\(number > 1 ? "~\(number)" : "")")
    }

    /// The text with percent-encoding for every byte that is not a letter, a digit or `-`. A space becomes `_`.
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

    /// Shortens a text, because file systems allow only 255 bytes in a name. The end of a longer text is replaced by a hash of
    /// the whole text.
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

    /// The names of the snapshots of this endpoint, for all cases and all environments.
    package var snapshotNames: [SnapshotName] { snapshotNames(of: id) }

    /// The names that the snapshots would have if the endpoint had another id, in the same order.
    private func snapshotNames(of id: String) -> [SnapshotName] {
        let checks = definition.checks.filter { $0.expectation?.snapshot != nil }.compactMap(\.name)
        return (hasSnapshot ? [SnapshotName(endpoint: id)] : [])
            + checks.map { SnapshotName(endpoint: id, check: $0.value) }
    }

    /// For each of the snapshots that belongs to this endpoint: its name, and its name if the endpoint has another id.
    package func renamed(_ snapshots: [SnapshotName], as newID: String) -> [(old: SnapshotName, new: SnapshotName)] {
        let names = zip(snapshotNames, snapshotNames(of: newID))
        return snapshots.compactMap { name in
            guard let (old, new) = names.first(where: { $0.0 == name.ofCase }) else { return nil }
            return (name, SnapshotName(stem: new.stem + name.stem.dropFirst(old.stem.count)))
        }
    }
}
