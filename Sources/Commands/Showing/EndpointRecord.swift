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
            "definition": withoutSecrets(source),
            "defaults": sourceOfDefaults.map(withoutSecrets),
        ])
    }

    /// The variant that answers where none is named.
    var defaultVariant: String? {
        definition.stubs.flatMap { $0.defaultVariant?.value ?? $0.variants.first?.name }
    }
}

extension LocatedEndpoint {
    /// A definition as its file has it, but for the values that it gives of secret params.
    private func withoutSecrets(_ definition: OrderedJSON) -> OrderedJSON {
        definition.changing("params") { params in
            parameters.filter(\.value.isSecret).reduce(params) { params, parameter in
                params.changing(parameter.name) { definition in
                    ["default", "example"].reduce(definition) { $0.changing($1) { _ in .masked(parameter.name) } }
                }
            }
        }
    }
}

extension OrderedJSON {
    /// The mask for the value of a secret param.
    fileprivate static func masked(_ name: String) -> OrderedJSON { .string("<\(name)>") }

    /// The object with one of its members changed, if it has it.
    fileprivate func changing(_ name: String, _ change: (OrderedJSON) -> OrderedJSON) -> OrderedJSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == name ? Member(name, change($0.value)) : $0 })
    }
}

extension Parameter {
    fileprivate func record(named name: String) -> OrderedJSON {
        func shown(_ value: OrderedJSON?) -> OrderedJSON? { isSecret ? value.map { _ in .masked(name) } : value }
        return .object([
            "name": .string(name),
            "type": .string(kind.rawValue),
            "required": .bool(isRequired),
            "description": summary.map { .string($0) },
            "default": shown(defaultValue?.value),
            "example": shown(example?.value),
            "enum": allowed.map { .array($0.map(\.value)) },
            "pattern": pattern.map { .string($0.value) },
            "minimum": minimum.map { .number($0.text) },
            "maximum": maximum.map { .number($0.text) },
            "secret": isSecret ? true : nil,
        ])
    }
}
