import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

/// The variants of an endpoint with their conditions. Chooses a variant for a request.
package final class EndpointVariants: Sendable {
    package let endpoint: LocatedEndpoint
    private let variants: [Named<VariantDefinition>]
    private let conditions: [(name: String, condition: VariantCondition)]
    /// The name of the endpoint's own default variant.
    private let standard: String?
    /// The responses of the variants that were requested so far. A list is enough, because an endpoint has few variants.
    private let scripts = Mutex<[ServedScript]>([])

    package init(_ endpoint: LocatedEndpoint, _ schemas: SchemaStore) {
        self.endpoint = endpoint
        variants = endpoint.definition.stubs?.variants ?? []
        conditions = variants.compactMap { variant in
            variant.value.condition.flatMap { VariantCondition($0, schemas) }.map { (variant.name, $0) }
        }
        standard = endpoint.definition.stubs?.standardName
    }

    package var names: [String] { variants.map(\.name) }

    func script(_ name: String) -> ServedScript? { scripts.withLock { $0.first { $0.variant == name } } }

    func keep(_ script: ServedScript) { scripts.withLock { $0.append(script) } }

    package var isEmpty: Bool { variants.isEmpty }

    package var hasConditions: Bool { !conditions.isEmpty }

    /// Whether one of the variants contains values of the request.
    package var isFilled: Bool {
        variants.contains { $0.value.withWrittenSteps.contains { $0.isFilled == true } }
    }

    /// The variant that responds if no variant was chosen by name. It is the first of these that exists: the first variant whose
    /// conditions are met, the environment's default, the endpoint's default, the first variant without conditions.
    ///
    /// - Parameter rest: The variant that the environment names for all endpoints; nil for none.
    /// - Returns: Nil if there is none.
    package func chosen(for request: IncomingRequest, _ reading: RequestReading, rest: String?) -> String? {
        conditional(for: request, reading) ?? fallback(rest: rest)
    }

    /// The first variant with conditions whose conditions are met.
    func conditional(for request: IncomingRequest, _ reading: RequestReading) -> String? {
        conditions.first { $0.condition.objection(to: request, reading) == nil }?.name
    }

    package func fallback(rest: String?) -> String? { rest ?? standard }

    /// The reasons why no variant responds to a request, for an error message.
    func objections(to request: IncomingRequest, _ reading: RequestReading) -> String {
        conditions.compactMap { each in
            each.condition.objection(to: request, reading).map { "the \"when\" of \(each.name) is not met by \($0)" }
        }.joined(separator: "; ")
    }
}
