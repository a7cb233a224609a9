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
    /// A fast check without messages. Most responses pass this check.
    package func areMet(at path: JSONPath, in root: JSONValue) -> Bool {
        guard let nodes = try? path.nodes(in: root), !nodes.isEmpty else { return false }
        return all.allSatisfy { condition in
            condition.wantsExistence != false && nodes.allSatisfy { condition.objection(to: .json($0)) == nil }
        }
    }
}
