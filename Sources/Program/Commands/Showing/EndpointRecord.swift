import CommandLineKit
import Rendering
import ReqcliDefinitions
import ReqcliText

extension LocatedEndpoint {
    /// The endpoint for a program to read.
    var record: OrderedJSON {
        let source = EndpointSource(self)
        return .object([
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
            "definition": withoutSecrets(source.own),
            "defaults": source.defaults.map(withoutSecrets),
        ])
    }

    /// The variant that responds if no variant is named.
    var defaultVariant: String? {
        definition.stubs?.standardName
    }
}

extension LocatedEndpoint {
    /// A definition as its file has it, except that the values of secret params are masked.
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

    fileprivate func adding(_ added: [Member]) -> OrderedJSON { .object(members + added) }

    /// The object with this member changed, if the object has such a member.
    fileprivate func changing(_ name: String, _ change: (OrderedJSON) -> OrderedJSON) -> OrderedJSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == name ? Member(name, change($0.value)) : $0 })
    }
}

extension Parameter {
    func record(named name: String) -> OrderedJSON {
        func shown(_ value: OrderedJSON?) -> OrderedJSON? { isSecret ? value.map { _ in .masked(name) } : value }
        return .object([
            "name": .string(name),
            "type": .string(kind.rawValue),
            "required": .bool(isRequired),
            "description": summary.map { .string($0) },
            "default": shown(defaultValue?.value),
            "example": shown(example?.value),
            "items": items.map { item in .object([.init("type", .string(item.kind.rawValue))] + item.constraints) },
            "minItems": minimumCount.map { .int($0) },
            "maxItems": maximumCount.map { .int($0) },
            "join": separator.map { .string($0) },
        ]).adding(
            constraints + (isSecret ? [.init("secret", true)] : []) + (isDeprecated ? [.init("deprecated", true)] : []))
    }

    private var constraints: [OrderedJSON.Member] {
        let members: [(String, OrderedJSON?)] = [
            ("enum", allowed.map { .array($0.map(\.value)) }),
            ("pattern", pattern.map { .string($0.value) }),
            ("format", format.map { .string($0.rawValue) }),
            ("minLength", minimumLength.map { .int($0) }),
            ("maxLength", maximumLength.map { .int($0) }),
            ("minimum", minimum.map { .number($0.text) }),
            ("maximum", maximum.map { .number($0.text) }),
        ]
        return members.compactMap { name, value in value.map { .init(name, $0) } }
    }
}

extension OrderedJSON {
    /// The members of an object; empty for other values.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}

/// An example command line that calls an endpoint with all required params. Users can paste and change it.
struct ExampleCall {
    /// The endpoint's id and a value for each param that has to be given.
    let words: [String]

    init(_ endpoint: LocatedEndpoint) {
        words =
            [endpoint.id]
            + endpoint.parameters.filter(\.value.isRequired).flatMap { parameter in
                parameter.value.sampleTexts.map { "\(parameter.name)=\($0)" }
            }
    }

    var line: String { ShellQuoting.line([Program.name, SendCommand.spec.name] + words) }
}

extension Parameter {
    /// Values for the param in an example call: the file's example, or a made-up value if there is no example or the param is
    /// secret. A list has several values.
    fileprivate var sampleTexts: [String] {
        if !isSecret, !exampleValues.isEmpty { return exampleValues.map(\.plainText) }
        return [single.sampleText]
    }

    private var sampleText: String {
        if !isSecret, let value = allowed?.first?.value { return value.plainText }
        return switch kind {
        case .string, .list: "text"
        case .integer, .number: (minimum ?? maximum)?.text ?? "1"
        case .boolean: "true"
        case .json: "{}"
        case .file: "FILE"
        }
    }
}
