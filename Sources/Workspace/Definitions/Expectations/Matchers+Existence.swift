import ReqcliText

extension Matchers {
    /// Reports other conditions if one condition requires the value to be missing, because the others would never be checked.
    func reportContradiction(_ decoding: inout Decoding) {
        guard let absence = all.first(where: { $0.wantsExistence == false }),
            let other = all.first(where: { $0.wantsExistence != false })
        else { return }
        let demand =
            other.operation == .exists ? "also exist" : "meet \"\(other.operation.rawValue)\""
        decoding.report(
            .keyConflict, "a value that must not exist can't \(demand)", at: other.place,
            hint: "keep one of the two conditions",
            notes: [Diagnostic.Note("this condition says that the value must not exist", at: absence.place)])
    }
}

extension Matcher {
    /// For `exists`: whether the value must exist, taking `not` into account; nil for any other operator.
    fileprivate var wantsExistence: Bool? {
        guard operation == .exists, let literal = operand.literal else { return nil }
        return (literal == .bool(true)) != isNegated
    }
}
