import Definitions
import SourceText

extension LocatedEndpoint {
    /// The endpoint for a program to read.
    var record: OrderedJSON {
        .object([
            "id": .string(id),
            "method": .string(method),
            "path": .string(path(in: nil)),
            "description": definition.summary.map { .string($0) },
            "file": .string(file.name),
            "line": .int(definition.place.start.line),
            "group": group.map { .string($0) },
            "tags": .array(tags.map { .string($0) }),
            "params": .array(parameters.map { $0.value.record(named: $0.name) }),
            "needs": .array(needs.compactMap { $0.value.endpoint.map { .string($0.value) } }),
            "defaultVariant": defaultVariant.map { .string($0) },
            "variants": .array((definition.stubs?.variants ?? []).map { .string($0.name) }),
            "call": .string(ExampleCall(self).line),
            "definition": source,
            "defaults": sourceOfDefaults,
        ])
    }

    /// The variant that answers where none is named.
    var defaultVariant: String? {
        definition.stubs.flatMap { $0.defaultVariant?.value ?? $0.variants.first?.name }
    }
}

extension Parameter {
    fileprivate func record(named name: String) -> OrderedJSON {
        .object([
            "name": .string(name),
            "type": .string(kind.rawValue),
            "required": .bool(isRequired),
            "description": summary.map { .string($0) },
            "default": defaultValue?.value,
            "example": example?.value,
            "enum": allowed.map { .array($0.map(\.value)) },
            "pattern": pattern.map { .string($0.value) },
            "minimum": minimum.map { .number($0.text) },
            "maximum": maximum.map { .number($0.text) },
            "secret": isSecret ? true : nil,
        ])
    }
}
