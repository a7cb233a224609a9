import ReqcliDefinitions
import ReqcliText

/// A part of `expect`, with the feature that a tool needs to express it.
struct ExpectedPart {
    enum Content {
        /// Conditions on a part of the response. The subject is nil for a JSONPath that ``MemberPath`` can't express.
        case conditions(ResponseCheck.Subject?, [Matcher])
        case maximumTime(Duration)
        case schema(Matcher)
        /// A part that no tool can express.
        case other
    }

    let feature: Feature
    let place: Place
    let content: Content

    init(_ feature: Feature, at place: Place, _ content: Content = .other) {
        (self.feature, self.place, self.content) = (feature, place, content)
    }
}

extension Expectation {
    /// All parts except the status, which every tool can express.
    var parts: [ExpectedPart] {
        let headers = headers.map {
            ExpectedPart(.headers, at: $0.namePlace, .conditions(.header($0.name), $0.value.all))
        }
        let body = self.body.flatMap { body in
            body.all.first.map { ExpectedPart(.body, at: $0.place, .conditions(.body, body.all)) }
        }
        let rest = [
            body, maxTime.map { ExpectedPart(.maxTime, at: $0.place, .maximumTime($0.value)) },
            schema.map { ExpectedPart(.schema, at: $0.place, .schema($0)) },
            openAPI.map { ExpectedPart(.openAPI, at: $0.place) },
            events.map { _ in ExpectedPart(.events, at: place) },
            snapshot.map { _ in ExpectedPart(.snapshot, at: place) },
        ]
        return headers + rest.compactMap(\.self) + json.flatMap(Self.parts)
    }

    /// The conditions on a JSON value. Conditions on its type are a separate part, since more tools can express them.
    private static func parts(of condition: Named<Matchers>) -> [ExpectedPart] {
        let subject = MemberPath(condition.name).map {
            ResponseCheck.Subject.json(path: condition.name, steps: $0.steps)
        }
        func isType(_ matcher: Matcher) -> Bool {
            subject != nil && matcher.operation == .type && !matcher.isNegated
        }
        let groups: [(Feature, [Matcher])] = [
            (.types, condition.value.all.filter(isType)), (.json, condition.value.all.filter { !isType($0) }),
        ]
        return groups.filter { !$0.1.isEmpty }.map { feature, matchers in
            ExpectedPart(feature, at: condition.namePlace, .conditions(subject, matchers))
        }
    }
}
