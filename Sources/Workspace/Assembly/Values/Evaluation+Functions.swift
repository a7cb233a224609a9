import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliRedaction
import ReqcliText

extension Evaluation {
    /// The value of a placeholder with functions. A value that is made from a secret is a secret.
    mutating func value(of computed: ComputedPlaceholder, _ place: Place) -> Evaluated<OrderedJSON> {
        let outer = usesSecret
        usesSecret = false
        defer { usesSecret = usesSecret || outer }
        let pipeline = computed.pipeline
        // Its stand-in has a name, which every export knows.
        if world.hasStandIns, let generated = Placeholder.Generated(meaning: computed.text) {
            return value(of: Located(.generated(generated), at: place))
        }
        guard let inputs = inputs(of: computed) else { return .failed }
        if let open = standIn(for: computed, inputs) { return given(open, place) }
        var material: FunctionValue?
        if case .call(let call) = pipeline.source, let arguments = pipeline.arguments(of: call, inputs) {
            material = self.material(for: call, arguments, computed, place)
            if material == nil { return .failed }
        }
        if case .name(let name) = pipeline.source, name.text == RequestWord.body { material = signed?.binaryBody }
        do throws(FunctionProblem) {
            guard let value = try pipeline.value(of: inputs, from: material) else { return .absent }
            if usesSecret || inputs.values.contains(where: isKnownSecret) { keepSecret(value, of: pipeline, inputs) }
            return given(value, place)
        } catch {
            report(.valueInvalid, "\"{{\(pipeline.label)}}\": \(error.message)", at: place)
            return .failed
        }
    }

    /// The values of the names in a placeholder; nil if one could not be resolved, which is reported.
    private mutating func inputs(of computed: ComputedPlaceholder) -> Pipeline.Inputs? {
        var inputs: Pipeline.Inputs = [:]
        for name in computed.pipeline.names {
            guard let placeholder = computed[name] else { continue }
            // An unset variable of the process is an error elsewhere. Here, `default` can replace it.
            if case .processVariable(let variable) = placeholder.value, computed.pipeline.fillsGaps,
                secrets.variable(variable) == nil
            {
                continue
            }
            switch withLists(.json, { $0.value(of: placeholder) }) {
            case .value(let value): inputs[name.range.lowerBound] = value
            case .absent: continue
            case .failed: return nil
            }
        }
        return inputs
    }

    /// What a source is made from: the time, random bytes or the content of a file; nil if there is a problem.
    private mutating func material(
        for call: Pipeline.Call, _ arguments: [FunctionValue], _ computed: ComputedPlaceholder, _ place: Place
    ) -> FunctionValue? {
        switch call.function.name {
        case "$now":
            durability = .momentary
            return .time(Int((now() * 1000).rounded(.down)))
        case "file":
            durability = .momentary
            // A path that the user typed needs no permission, so the template has to show where the path comes from.
            var template = TextTemplate(literal: arguments[0].text, at: place)
            if case .name(let name) = call.arguments[0], let path = computed[name] {
                template = TextTemplate(pieces: [.placeholder(path)], place: place)
            }
            guard case .value(let bytes) = bytes(ofFile: arguments[0].text, template) else { return nil }
            return .bytes(bytes)
        default:
            durability = min(durability, .unique)
            return .bytes(randomBytes(at: place))
        }
    }

    // MARK: Secrets

    /// Whether a value that a caller passes contains a secret of another request.
    private func isKnownSecret(_ value: OrderedJSON) -> Bool { call.redactor.isSecret(in: Array(value.plainText.utf8)) }

    private mutating func keepSecret(_ value: OrderedJSON, of pipeline: Pipeline, _ inputs: Pipeline.Inputs) {
        usesSecret = true
        // A command can't read the secrets of another request.
        let pipe = inputs.values.contains(where: isKnownSecret) ? nil : pipeline.shellPipe(of: inputs)
        let sources = inputs.values.map(\.plainText)
        for text in value.secretTexts where !text.isEmpty {
            keepSecret(ResolvedSecret(name: pipeline.label, value: text, origin: .computed(pipe, of: sources)))
        }
    }

    // MARK: Values that are not known yet

    /// A stand-in for the value, if it is made from values that have stand-ins: a function of a stand-in would be a wrong value.
    private mutating func standIn(for computed: ComputedPlaceholder, _ inputs: Pipeline.Inputs) -> OrderedJSON? {
        let inputs = inputs.sorted { $0.key < $1.key }.map(\.value)
        if world.hasStandIns {
            let open = inputs.flatMap(\.openValues)
            // The time, random values and files are open, too.
            if case .name = computed.pipeline.source, open.isEmpty { return nil }
            return .string(StandIn.text(for: .computed(computed.text, of: open)))
        }
        let isMadeOfStandIn = inputs.contains { input in standIns.contains { input.plainText.contains($0.value) } }
        guard isMadeOfStandIn else { return nil }
        usesSecret = true
        return .string(keepStandIn(computed.pipeline.label, origin: .computedLater))
    }
}
