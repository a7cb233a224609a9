import ReqcliText

extension TextTemplate: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for case .placeholder(let placeholder) in pieces {
            visit(.placeholder(placeholder))
            guard case .computed(let computed) = placeholder.value else { continue }
            for inner in computed.inner { visit(.placeholder(inner)) }
        }
    }

    /// Visits the path of a file, and the placeholders in it.
    func walkFile(_ visit: (Mention) -> Void) {
        visit(.file(self))
        walk(visit)
    }
}

extension ValueTemplate: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        switch self {
        case .plain, .scalar: break
        case .text(let template): template.walk(visit)
        case .list(let elements, _): elements.walk(visit)
        case .object(let members, _): for member in members { member.value.walk(visit) }
        case .choice(let choice):
            choice.subject.walk(visit)
            for one in choice.cases { one.value.walk(visit) }
            choice.otherwise?.walk(visit)
        }
    }
}

extension [ValueTemplate] {
    func walk(_ visit: (Mention) -> Void) {
        for value in self { value.walk(visit) }
    }
}

extension PathTemplate: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        switch self {
        case .text(let template): template.walk(visit)
        case .segments(let segments): segments.walk(visit)
        }
    }
}

extension [Named<ValueTemplate>] {
    /// Visits values for the params of an endpoint.
    func walk(paramsOf endpoint: String?, _ visit: (Mention) -> Void) {
        for given in self {
            visit(.parameter(Located(given.name, at: given.namePlace), of: endpoint))
            given.value.walk(visit)
        }
    }
}
