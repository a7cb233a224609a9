import ReqcliText

extension Stubs {
    /// The name of the variant that responds if neither a name nor a condition chooses one.
    package var standardName: String? {
        defaultVariant?.value ?? variants.first { $0.value.condition == nil }?.name
    }

    /// The variant with the name `standardName`, if it exists.
    package var standard: VariantDefinition? { standardName.flatMap { variants[named: $0] } }
}

extension VariantDefinition {
    /// The reason why a variant has no valid response.
    package enum LikeProblem: Error {
        case unknown(Located<String>)
        case sequence(Located<String>)
        /// The names in the chain of `like`, and the name that leads back to one of them.
        case circle([String], backTo: Located<String>)
    }

    /// Merges the variant with the variants in its chain of `like`. The variant's own keys win, and headers are merged by name.
    /// If the variant itself sets a body, a status or headers, it doesn't take over a fault from the other variants.
    ///
    /// - Parameters:
    ///   - standard: The endpoint's standard variant; nil if there is none. A truncated response gets the body of this variant if
    ///     no other variant sets a body.
    ///   - named: Finds a variant of the endpoint by its name.
    package func merged(
        standard: VariantDefinition?, _ named: (String) -> VariantDefinition?
    ) throws(LikeProblem) -> VariantDefinition {
        var layers = [self]
        var names: [String] = []
        var isNamed: Set<String> = []
        while let like = layers.last?.like {
            guard isNamed.insert(like.value).inserted else { throw .circle(names, backTo: like) }
            guard let other = named(like.value) else { throw .unknown(like) }
            guard other.sequence == nil else { throw .sequence(like) }
            names.append(like.value)
            layers.append(other)
        }
        if let standard, let last = layers.last, last.fault == .truncated, last.body == nil,
            standard.place != last.place, standard.sequence == nil
        {
            layers.append(try standard.merged(standard: nil, named))
        }
        let base = layers.removeLast()
        return layers.reversed().reduce(base) { $1.merged(onto: $0) }
    }

    /// The Content-Type that follows from the kind of body.
    package var impliedType: String? {
        switch body {
        case .json: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .bytes: "application/octet-stream"
        case .file(let name): name.value.hasSuffix(".json") ? "application/json" : nil
        case nil: nil
        }
    }

    private func merged(onto other: VariantDefinition) -> VariantDefinition {
        var result = other
        result.body = body ?? result.body
        if fault != nil || saysSomethingOfAnAnswer { result.fault = fault }
        result.status = status ?? result.status
        result.delay = delay ?? result.delay
        result.bodyTime = bodyTime ?? result.bodyTime
        result.isFilled = isFilled ?? result.isFilled
        let own = Set(headers.map { $0.name.lowercased() })
        result.headers = result.headers.filter { !own.contains($0.name.lowercased()) } + headers
        return result
    }

    /// Whether the variant sets a part of a response. None of these parts can be combined with a fault.
    private var saysSomethingOfAnAnswer: Bool { body != nil || status != nil || !headers.isEmpty }
}
