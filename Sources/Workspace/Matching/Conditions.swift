package import ReqcliDefinitions
package import ReqcliJSONPath
package import ReqcliText

/// The conditions on one subject: a header, the body, or the values of a path.
package struct Conditions: Sendable {
    package let name: String
    package let place: Place
    package let all: [Condition]

    package init(name: String, place: Place, all: [Condition]) {
        self.name = name
        self.place = place
        self.all = all
    }
}

extension Conditions {
    /// Compiles conditions. A condition that is invalid is left out and reported.
    package init(
        _ name: String, at place: Place, _ matchers: [Matcher], _ schemas: SchemaStore,
        _ diagnostics: inout [Diagnostic]
    ) {
        var all: [Condition] = []
        for matcher in matchers {
            do throws(Operand.Problem) {
                all.append(try Condition(matcher, schemas))
            } catch {
                diagnostics += error.diagnostics(of: matcher)
            }
        }
        self.init(name: name, place: place, all: all)
    }

    /// A fast check without messages. Most responses pass this check.
    package func areMet(at path: JSONPath, in root: JSONValue) -> Bool {
        guard let nodes = try? path.nodes(in: root), !nodes.isEmpty else { return false }
        return all.allSatisfy { condition in
            condition.wantsExistence != false && nodes.allSatisfy { condition.objection(to: .json($0)) == nil }
        }
    }
}

extension Operand.Problem {
    fileprivate func diagnostics(of matcher: Matcher) -> [Diagnostic] {
        guard ofSchema.isEmpty else { return ofSchema }
        let place = range.map { matcher.place.inside($0) } ?? matcher.place
        return [Diagnostic(code: .operandInvalid, message, at: place, hint: hint)]
    }
}

extension Diagnostic.Code {
    package static let operandInvalid: Self = "expect.operand"
}
