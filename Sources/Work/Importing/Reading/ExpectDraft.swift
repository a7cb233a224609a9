package import ReqcliText

/// Collects the conditions of a source's tests into `expect`. A condition is rejected if it can't be in the same object as an
/// earlier condition.
package struct ExpectDraft: Sendable {
    package enum Condition: Sendable, Equatable {
        /// The status is one of several statuses, such as 200 or "2xx".
        case status([OrderedJSON])
        /// A duration such as `200ms`.
        case maxTime(String)
        case header(String, Operation)
        case body(Operation)
        /// A condition on the value that a JSONPath selects.
        case json(String, Operation)
    }

    /// An operator with its operand.
    package struct Operation: Sendable, Equatable {
        package let name: String
        package let operand: OrderedJSON
        package let isNegated: Bool

        package init(_ name: String, _ operand: OrderedJSON, isNegated: Bool = false) {
            self.name = name
            self.operand = operand
            self.isNegated = isNegated
        }
    }

    private var status: [OrderedJSON]?
    private var maxTime: String?
    private var headers = Group()
    private var body: [Operation] = []
    private var paths = Group()

    package init() {}

    private var count = 0

    /// The largest number of conditions for one response.
    private static let most = 1000

    /// Adds all conditions of a test, or no condition if one of them is rejected.
    package mutating func add(_ conditions: [Condition]) -> Bool {
        guard count + conditions.count <= Self.most else { return false }
        var draft = self
        draft.count += conditions.count
        for condition in conditions {
            guard draft.add(condition) else { return false }
        }
        self = draft
        return true
    }

    private mutating func add(_ condition: Condition) -> Bool {
        switch condition {
        case .status(let all):
            defer { status = status ?? all }
            return status == nil || status == all
        case .maxTime(let time):
            defer { maxTime = maxTime ?? time }
            return maxTime == nil || maxTime == time
        case .header(let name, let operation): return headers.add(operation, to: name, key: name.lowercased())
        case .body(let operation): return Group.add(operation, to: &body)
        case .json(let path, _) where ForeignPath.holdsToken(path): return false
        case .json(let path, let operation): return paths.add(operation, to: path, key: path)
        }
    }

    /// The value of `expect`; nil if there is no condition.
    package var json: OrderedJSON? {
        let members: [OrderedJSON.Member] = .present([
            "status": status.map { .oneOrMore($0) }, "maxTime": maxTime.map { .string($0) }, "headers": headers.json,
            "body": body.isEmpty ? nil : Group.json(of: body), "json": paths.json,
        ])
        return members.nonEmpty
    }

    /// The conditions on several values, by the name of the value.
    private struct Group: Sendable {
        private var names: [String] = []
        private var operations: [[Operation]] = []
        private var positions: [String: Int] = [:]

        mutating func add(_ operation: Operation, to name: String, key: String) -> Bool {
            if let position = positions[key] { return Self.add(operation, to: &operations[position]) }
            positions[key] = names.count
            names.append(name)
            operations.append([operation])
            return true
        }

        static func add(_ operation: Operation, to all: inout [Operation]) -> Bool {
            if all.contains(operation) { return true }
            if operation.name == "length", !operation.isNegated, case .object(let more) = operation.operand,
                let index = all.firstIndex(where: { $0.name == "length" && !$0.isNegated }),
                case .object(let known) = all[index].operand,
                !known.contains(where: { member in more.contains { $0.name == member.name } })
            {
                all[index] = Operation("length", .object(known + more))
                return true
            }
            // The condition "the value is missing" can't be combined with other conditions.
            let isMissing = { (one: Operation) in one.name == "exists" && one.isNegated == (one.operand == true) }
            let isTaken = all.contains { $0.name == operation.name && $0.isNegated == operation.isNegated }
            if isTaken || isMissing(operation) || all.contains(where: isMissing) { return false }
            all.append(operation)
            return true
        }

        var json: OrderedJSON? {
            zip(names, operations).map { OrderedJSON.Member($0, Self.json(of: $1)) }.nonEmpty
        }

        static func json(of all: [Operation]) -> OrderedJSON {
            if all.count == 1, all[0].name == "equals", !all[0].isNegated {
                switch all[0].operand {
                case .string, .number, .bool: return all[0].operand
                case .null, .array, .object: break
                }
            }
            let plain = all.filter { !$0.isNegated }.map { OrderedJSON.Member($0.name, $0.operand) }
            let negated = all.filter(\.isNegated).map { OrderedJSON.Member($0.name, $0.operand) }
            return .object(plain + .present(["not": negated.nonEmpty]))
        }
    }
}
