package import ReqcliText

extension ImportRecord {
    /// Whether the import has written a member, with the same value, to an environment.
    package func wrote(
        _ member: OrderedJSON.Member, toEnvironment name: String, _ hash: (OrderedJSON) -> String
    ) -> Bool {
        guard let added = groups[ImportedWorkspace.environmentKey(name)]?.hashes else { return false }
        guard case .object(let inner) = member.value, ["headers", "secrets"].contains(member.name) else {
            return added[member.name] == hash(member.value)
        }
        return inner.allSatisfy { added[UnitHashes.key([member.name, $0.name])] == hash($0.value) }
    }

    /// Whether the import has written a variable to an environment.
    package func wroteVariable(_ name: String, toEnvironment environment: String) -> Bool {
        groups[ImportedWorkspace.environmentKey(environment)]?[["variables", name]] != nil
    }

    /// Whether the import has written a secret to any environment.
    func wroteSecret(_ name: String) -> Bool {
        groups.contains {
            $0.key.hasPrefix(ImportedWorkspace.environmentKey("")) && $0.value[["secrets", name]] != nil
        }
    }
}

extension ImportedWorkspace {
    /// The record of what this import writes, for later updates.
    package func record(like other: ImportRecord, _ hash: (OrderedJSON) -> String) -> ImportRecord {
        var record = ImportRecord(format: other.format, sources: other.sources, options: other.options)
        let keys = Dictionary(zip(ids, self.keys), uniquingKeysWith: { first, _ in first })
        for single in singles {
            record.entries.append(
                ImportRecord.Entry(
                    id: single.id, key: keys[single.id] ?? single.id,
                    units: UnitHashes(ImportUnits(single.definition), hash)))
        }
        for group in groups {
            if !group.defaults.isEmpty {
                record.groups[group.id] = UnitHashes(ImportUnits(.object(group.defaults)), hash)
            }
            for endpoint in group.endpoints {
                let id = "\(group.id).\(endpoint.name)"
                record.entries.append(
                    ImportRecord.Entry(
                        id: id, key: keys[id] ?? id, units: UnitHashes(ImportUnits(endpoint.value), hash)))
            }
        }
        for environment in environments {
            var hashes = UnitHashes()
            for member in environment.members {
                guard case .object(let inner) = member.value, ["variables", "secrets", "headers"].contains(member.name)
                else {
                    hashes.hashes[member.name] = hash(member.value)
                    continue
                }
                for item in inner { hashes.hashes[UnitHashes.key([member.name, item.name])] = hash(item.value) }
            }
            record.groups[Self.environmentKey(environment.name)] = hashes
        }
        for file in files { record.files[file.path] = hash(.bytes(file.bytes)) }
        return record
    }

    /// The key of an environment in `groups`. No group can have this key as its name.
    static func environmentKey(_ name: String) -> String { "environment:\(name)" }
}

extension OrderedJSON {
    /// The bytes of a file as a JSON value for hashing. Different bytes become different values, even if they aren't text.
    static func bytes(_ bytes: [UInt8]) -> OrderedJSON {
        String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .array(bytes.map { .number(String($0)) })
    }
}
