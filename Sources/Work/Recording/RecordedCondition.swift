package import ReqcliDefinitions
package import ReqcliMocking
package import ReqcliRedaction
package import ReqcliText

/// The condition under which a recorded variant responds: the params of the request that it was recorded for.
package enum RecordedCondition {
    /// The maximum size of a condition, in bytes. A longer value is data and does not distinguish cases.
    private static let longest = 16 << 10

    /// The reason why no condition can be made from a request.
    package struct Problem: Error, Equatable {
        package let reason: Wording
    }

    /// The value of `when`; nil if all requests of the endpoint have the same params.
    ///
    /// Secret values are left out, because their masks would never match. If only secret values remain, every left-out param must
    /// be declared secret. Otherwise the variant would respond to every request. If the request lacks an optional param, later
    /// requests have to lack it too.
    package static func make(
        of endpoint: LocatedEndpoint, _ reading: RequestReading, _ redactor: Redactor
    ) throws(Problem) -> OrderedJSON? {
        if let invalid = reading.invalidParameters.min() {
            throw Problem(reason: "\(own: invalid) is invalid or missing in the request")
        }
        var members: [OrderedJSON.Member] = []
        var hidden: [String] = []
        for parameter in endpoint.parameters where !parameter.value.isSecret {
            guard let value = reading.parameters[parameter.name] else {
                if !parameter.value.isRequired { members.append(.init(parameter.name, .object(["exists": false]))) }
                continue
            }
            if isSecret(value, parameter.name, redactor) {
                hidden.append(parameter.name)
                continue
            }
            let literal = value.escapingBraces
            if case .object = literal {
                members.append(.init(parameter.name, .object(["equals": literal])))
            } else {
                members.append(.init(parameter.name, literal))
            }
        }
        if members.isEmpty {
            if hidden.isEmpty { return nil }
            throw Problem(
                reason:
                    "only \(own: hidden.joined(separator: ", ")) distinguishes the request from others, and the value is a "
                    + "secret; with \"secret\": true for this param, the response is used for any value")
        }
        let condition = OrderedJSON.object(["params": .object(members)])
        guard condition.compact.utf8.count <= longest else {
            throw Problem(reason: "the request's params are longer than \(longest >> 10) KiB")
        }
        return condition
    }

    private static func isSecret(_ value: OrderedJSON, _ name: String, _ redactor: Redactor) -> Bool {
        let text = if case .string(let text) = value { text } else { value.compact }
        return LikelySecret.isSecret(name, text) || LikelySecret.isIn(value) || redactor.redact(text) != text
    }
}
