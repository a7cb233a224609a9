import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Reads requests that have nothing but a path, for patterns that describe nothing but a path. Only the params in the path are
/// read.
///
/// Most `GET` requests are like this. If ``RequestComparison`` read them, `serve` would take 17 % more instructions for a
/// request.
final class PlainRoute: Sendable {
    /// A gap in the path. A class, because a param is large, and a loop would copy a struct.
    private final class Gap: Sendable {
        let segment: Int
        let parameter: Named<Parameter>

        init(_ segment: Int, _ parameter: Named<Parameter>) {
            self.segment = segment
            self.parameter = parameter
        }
    }

    /// The gaps in the path; nil if the pattern describes more than a path.
    private let gaps: [Gap]?

    init(_ pattern: RequestPattern, _ route: RouteTree.Route) {
        var gaps: [Gap] = []
        var isPlain =
            pattern.query.isEmpty && pattern.headers.isEmpty && pattern.choices.isEmpty && pattern.secretFields == nil
        if case .none = pattern.body {} else { isPlain = false }
        let declared = pattern.endpoint.parameters
        for (index, segment) in route.segments.enumerated() where segment.literal == nil {
            guard case .parameter(let name)? = segment.onlyGap, !gaps.contains(where: { $0.parameter.name == name }),
                let parameter = declared.first(where: { $0.name == name })
            else {
                isPlain = false
                break
            }
            gaps.append(Gap(index, parameter))
        }
        // If the route lacks one of the params, the request is left to `RequestComparison`, because the param may have a default.
        let isWhole = declared.allSatisfy { parameter in
            !pattern.parameters.contains(parameter.name) || gaps.contains { $0.parameter.name == parameter.name }
        }
        self.gaps = isPlain && isWhole ? gaps : nil
    }

    /// The reading of a request without a query and a body. Nil if ``RequestComparison`` has to read the request, for example to
    /// report a problem.
    func reading(of request: IncomingRequest, _ schemas: SchemaStore) -> RequestReading? {
        guard let gaps, request.rawQuery == nil, request.body.isEmpty, !request.isCut else { return nil }
        if gaps.isEmpty { return .nothing }
        let values = try? gaps.map { gap throws(Failure) in
            let texts = [request.segments[gap.segment]]
            return ParameterValues.Item(
                name: gap.parameter.name,
                value: try gap.parameter.value.value(sentAs: texts, named: gap.parameter.name, schemas))
        }
        guard let values else { return nil }
        return RequestReading(ParameterValues(all: values), [], [], met: 0, missed: 0, nil)
    }
}
