import ReqcliBasics
package import ReqcliDefinitions
import ReqcliFunctions
package import ReqcliText
import RequestBuilding

extension Evaluation {
    mutating func text(of placeholder: Located<Placeholder>) -> Evaluated<String> {
        withLists(.joined) { $0.value(of: placeholder) }.map(ValueText.text)
    }

    /// The value of a placeholder inside a longer text. The value is required: if it is absent, this is reported and the result
    /// is nil.
    mutating func required(_ placeholder: Located<Placeholder>) -> String? {
        switch text(of: placeholder) {
        case .value(let text): return text
        case .failed: return nil
        case .absent:
            report(
                .valueUnresolved,
                "\"\(placeholder.value.text)\" was not given, but this text needs a value for it",
                at: placeholder.place,
                hint: placeholder.value.text.hasPrefix(RequestWord.header)
                    ? "the request has no such header" : "give the param a value or a default")
            return nil
        }
    }

    mutating func value(of placeholder: Located<Placeholder>) -> Evaluated<OrderedJSON> {
        if call.awaited.isEverything { return awaitValue() }
        switch placeholder.value {
        case .name(let name): return named(name, placeholder.place)
        case .generated(let generated): return .value(make(generated, placeholder.place))
        case .processVariable(let name):
            if let variable = secrets.variable(name) {
                if variable.isText { return given(.string(variable.value), placeholder.place) }
                report(
                    .valueUnresolved, "the environment variable \(name) is not UTF-8 text", at: placeholder.place)
                return .failed
            }
            report(
                .valueUnresolved, "the environment variable \(name) is not set", at: placeholder.place,
                hint: secrets.unsetAdvice)
            return .failed
        case .capture(let alias, let name): return capture(alias, name, placeholder.place)
        case .computed(let computed): return value(of: computed, placeholder.place)
        case .secret(let name):
            switch secrets.secret(name, at: placeholder.place) {
            case .success(let value):
                usesSecret = true
                return given(.string(value), placeholder.place)
            case .failure(let problem):
                report(problem)
                return .failed
            }
        }
    }

    /// Fills templates of an environment, such as its headers.
    mutating func inEnvironment<Result>(_ fill: (inout Evaluation) -> Result) -> Result {
        isInEnvironment = true
        defer { isInEnvironment = false }
        return fill(&self)
    }

    /// Whether a template of the environment is being filled, such as the value of a variable. Params and captures of the
    /// endpoint are not available in such a template.
    private var isOfEnvironment: Bool { isInEnvironment || !variablesInProgress.isEmpty }

    private mutating func named(_ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        if let signed, RequestWord.isOne(name) { return part(name, of: signed, place) }
        if !isOfEnvironment, let value = parameter(name, place) { return value }
        if let known = variables[name] { return take(known, at: place) }
        guard let variable = call.environment.variable(name), let template = variable.set else {
            reportUnknown(name, place)
            return .failed
        }
        if let start = variablesInProgress.firstIndex(of: name) {
            let circle = (variablesInProgress[start...] + [name]).joined(separator: " → ")
            report(.variableCycle, "variables refer to each other in a cycle: \(circle)", at: variable.place)
            return .failed
        }
        variablesInProgress.append(name)
        let filled = measuring { $0.json(template) }
        variablesInProgress.removeLast()
        variables[name] = filled
        return take(filled, at: place)
    }

    /// The value of the endpoint's param with this name; nil if the endpoint has no such param.
    private mutating func parameter(_ name: String, _ place: Place) -> Evaluated<OrderedJSON>? {
        if let value = parameters.values[name] {
            if parameters.secrets.contains(where: { $0.name == name }) { usesSecret = true }
            return given(inListForm(value, name), place)
        }
        if parameters.awaited.contains(name) { return awaitValue() }
        // The problem of this param was reported once. It is not repeated at each place that uses the param.
        if parameters.unresolved.contains(name) { return .failed }
        return parameters.isDefined(name) ? .absent : nil
    }

    /// The value of a list param in the form that is needed at its place in the request. Any other value is returned unchanged.
    private func inListForm(_ value: OrderedJSON, _ name: String) -> OrderedJSON {
        guard listForm != .json, case .array(let elements) = value,
            let parameter = call.endpoint.parameters[named: name], parameter.kind == .list,
            listForm == .joined || parameter.separator != nil
        else { return value }
        return .string(elements.map(ValueText.text).joined(separator: parameter.separator ?? ","))
    }

    /// Uses a value that doesn't come from a definition, such as the value of a param. Its nesting depth was checked when the
    /// value was read.
    mutating func given(_ value: OrderedJSON, _ place: Place) -> Evaluated<OrderedJSON> {
        take(value, ValueSize(bytes: ValueSize(of: value).bytes), at: place)
    }

    private mutating func reportUnknown(_ name: String, _ place: Place) {
        let environment = call.environment
        let variables = environment.variables.map(\.name)
        guard !isOfEnvironment else {
            report(
                .valueUnresolved, "\"{{\(name)}}\" is not a variable of the environment \(environment.name)", at: place,
                hint: NearNames.question(for: name, among: variables)
                    ?? "declare it in \"variables\"; params exist only in their endpoint")
            return
        }
        report(
            .valueUnresolved,
            "\"{{\(name)}}\" is neither a param of \(call.endpoint.id) nor a variable of the environment \(environment.name)",
            at: place,
            hint: NearNames.question(for: name, among: call.endpoint.parameters.map(\.name) + variables))
    }

    private mutating func capture(_ alias: String, _ name: String, _ place: Place) -> Evaluated<OrderedJSON> {
        let shared = call.environment.needs
        if isOfEnvironment, shared[named: alias] == nil {
            report(
                .valueUnresolved,
                "\"{{\(alias).\(name)}}\" is a capture, but the environment \(call.environment.name) has no alias \"\(alias)\" in \"needs\"",
                at: place,
                hint: NearNames.question(for: alias, among: shared.map(\.name) + ["secret"])
                    ?? "add \"needs\": {\"\(alias)\": \"the.endpoint\"}")
            return .failed
        }
        if let value = parameters.captures[alias]?[name] ?? call.captures[alias]?[name] {
            if call.secretCaptures[alias]?.contains(name) == true
                || parameters.secrets.contains(where: { $0.name == "\(alias).\(name)" })
            {
                usesSecret = true
            }
            return given(value, place)
        }
        if call.awaited.captures[alias]?.contains(name) == true {
            return call.awaited.areNamed
                ? given(.string(standIn(for: alias, name)), place) : awaitValue()
        }
        if let known = call.awaited.captures[alias] {
            let needed = call.endpoint.needs[named: alias]?.endpoint?.value ?? alias
            report(
                .valueUnresolved, "\(needed), the endpoint of \"\(alias)\", has no capture \"\(name)\"", at: place,
                hint: NearNames.question(for: name, among: known.sorted())
                    ?? "add it to the \"capture\" of that endpoint")
        } else if let needed = call.endpoint.needs[named: alias]?.endpoint?.value {
            report(
                .valueUnresolved, "\"{{\(alias).\(name)}}\" comes from \(needed), which has not been sent", at: place,
                hint: "give it as \(alias).\(name)=…")
        } else if call.environment.needs[named: alias] != nil {
            report(
                .valueUnresolved,
                "\(call.endpoint.id) does not need \"\(alias)\", whose captures the environment uses for all endpoints",
                at: place, hint: "set what has \"{{\(alias).\(name)}}\" to null in \(call.endpoint.id)")
        } else {
            report(
                .valueUnresolved, "\"\(alias)\" is not an alias in \"needs\"", at: place,
                hint: NearNames.question(for: alias, among: call.endpoint.needs.map(\.name) + ["secret"]))
        }
        return .failed
    }

    /// Makes a generated value. In a variable, the value is the same in the whole request; elsewhere, each placeholder gets a new
    /// value.
    private mutating func make(_ generated: Placeholder.Generated, _ place: Place) -> OrderedJSON {
        durability = min(durability, generated.durability)
        guard !variablesInProgress.isEmpty else { return made(generated, place) }
        let value = drawn[place] ?? made(generated, place)
        drawn[place] = value
        return value
    }

    private mutating func made(_ generated: Placeholder.Generated, _ place: Place) -> OrderedJSON {
        let (world, call) = (world, call)
        return world.value(of: generated, at: now(), seeded: world.seed?.bytes(for: call, at: place))
    }

    /// Random bytes for a placeholder. In a variable, they are the same in the whole request.
    mutating func randomBytes(at place: Place) -> [UInt8] {
        let known = variablesInProgress.isEmpty ? nil : drawn[place]
        let value = known ?? .string((world.seed?.bytes(for: call, at: place) ?? world.random()).hex)
        if !variablesInProgress.isEmpty { drawn[place] = value }
        return Array(value.plainText.utf8)
    }

    mutating func now() -> Double {
        let now = drawn.time ?? world.now
        drawn.time = now
        return now
    }
}

extension World {
    /// A new value for a placeholder.
    ///
    /// - Parameters:
    ///   - time: The time in seconds since 1970. Only read for a value that shows the time.
    ///   - bytes: The random bytes for the value, if there is a seed. Only read for a random value.
    package func value(
        of generated: Placeholder.Generated, at time: @autoclosure () -> Double,
        seeded bytes: @autoclosure () -> [UInt8]? = nil
    ) -> OrderedJSON {
        switch generated {
        case .uuid: .string(bytes()?.asUUID ?? uuid())
        case .timestamp: .int(Int(time().rounded(.down)))
        case .isoTimestamp: .string(Timestamp.iso8601(time()))
        case .randomInt: .int(bytes()?.asRandomInt ?? randomInt())
        }
    }
}

extension Placeholder.Generated {
    /// The time for which a request with a generated value of this kind stays valid.
    fileprivate var durability: Repeatability {
        switch self {
        case .uuid, .randomInt: .unique
        case .timestamp, .isoTimestamp: .momentary
        }
    }
}

extension Evaluation {
    /// Credentials as strings. A missing or blank credential is reported by its name.
    ///
    /// - Parameters:
    ///   - key: The key to which the values belong.
    ///   - mayBeEmpty: Whether a file may say that one of several credentials is empty.
    mutating func credentials(
        _ all: [(name: String, template: ValueTemplate)], of key: String = "auth", mayBeEmpty: Bool = true
    ) -> Evaluated<[String]> {
        let values = all.compactMap { credential($0.template, of: key) }
        guard values.count == all.count else { return .failed }
        let blankness = values.map { $0 == .null ? "is null" : ValueText.text(of: $0).blankness }
        let isOneGiven = blankness.contains(nil)
        var isWhole = true
        for (index, (name, template)) in all.enumerated() {
            guard let blankness = blankness[index] else { continue }
            // A file that gives a user and `"password": ""` says explicitly that there is no password.
            if template.literal == "", isOneGiven, mayBeEmpty { continue }
            let source = template.literal == nil ? " \(ValueText.text(of: template.source).quoted)" : ""
            report(
                .valueInvalid, "\(name)\(source) \(blankness)", at: template.place,
                hint: "give it a value; to send no credentials, write \(key.quoted): null")
            isWhole = false
        }
        return isWhole ? .value(values.map(ValueText.text)) : .failed
    }

    private mutating func credential(_ template: ValueTemplate, of key: String) -> OrderedJSON? {
        switch withLists(.joined, { $0.json(template) }) {
        case .value(let value): return value
        case .failed: return nil
        case .absent:
            report(
                .valueUnresolved,
                "\(ValueText.text(of: template.source)) was not given, but \(key) needs a value",
                at: template.place)
            return nil
        }
    }

    /// Whether a header's values can be sent. An `Authorization` whose placeholders are all blank, such as `Bearer ` without its
    /// token, has no credentials and can't be sent.
    mutating func areSendable(_ values: [String], _ templates: [ValueTemplate], in header: String) -> Bool {
        guard ["authorization", "proxy-authorization"].contains(header.lowercased()), values.count == templates.count
        else { return true }
        var isWhole = true
        for case (.text(let template), let value) in zip(templates, values) where !template.placeholders.isEmpty {
            let literals = template.pieces.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
            let isBlank = value.filter { !$0.isWhitespace } == literals.filter { !$0.isWhitespace }
            guard isBlank else { continue }
            report(
                .valueInvalid,
                "header \(header) has no credentials: the value of \(template.source.quoted) is blank",
                at: template.place, hint: "give it a value; to leave the header out, write null")
            isWhole = false
        }
        return isWhole
    }
}

extension Evaluation {
    /// Converts the path of a file in a definition to a path that can be used from the current folder.
    func filePath(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = world.variable("HOME") {
            return FilePath.join(home, String(path.dropFirst(2)))
        }
        return FilePath.shown(FilePath.tidy(call.workspace.path(path)), from: call.workspace.currentFolder)
    }

    /// The path of a file that a request needs. Checks, before anything is sent, that the file exists and may be read.
    ///
    /// - Parameters:
    ///   - purpose: The words after the path in a message.
    ///   - template: The template of the path.
    ///   - isRead: Whether the file is read even if the request is only described.
    mutating func fileToSend(
        _ path: String, _ purpose: String = "to send", from template: TextTemplate, isRead: Bool = false
    ) -> Evaluated<String> {
        let place = template.place
        guard case .value(let usable) = file(path, purpose, at: place) else { return .failed }
        guard call.readsBodyFiles || isRead, !isTyped(template) else { return .value(usable) }
        do throws(EvaluationScope.Objection) {
            try scope.demandFile(path, at: usable)
            return .value(usable)
        } catch {
            report(.fileUntrusted, error.message, at: place, hint: error.hint)
            return .failed
        }
    }

    /// The text of a file that is a part of a body. Placeholders in the file are not filled in.
    mutating func textOfFile(_ template: TextTemplate) -> Evaluated<String> {
        let path: String
        switch text(template) {
        case .value(let text): path = text
        case .absent: return .absent
        case .failed: return .failed
        }
        if call.awaited.isEverything { return awaitValue() }
        guard case .value(let bytes) = bytes(ofFile: path, template) else { return .failed }
        if let text = String(validating: bytes, as: UTF8.self) { return .value(text) }
        report(.valueInvalid, "\(path.quoted) is not UTF-8 text", at: template.place)
        return .failed
    }

    /// The bytes of a file that become a part of the request.
    ///
    /// - Parameter template: The template of the path.
    mutating func bytes(ofFile path: String, _ template: TextTemplate) -> Evaluated<[UInt8]> {
        // The bytes are shown with the request, so a file outside the workspace needs permission even if nothing is sent.
        guard case .value(let usable) = fileToSend(path, from: template, isRead: true) else { return .failed }
        let real = isTyped(template) ? nil : world.files.resolve(usable)
        do throws(FileProblem) {
            return .value(try world.read(usable, upTo: Workspace.largestFile, leadingTo: real))
        } catch {
            report(.fileUnreadable, "cannot read \(path.quoted): \(error.reason)", at: template.place)
            return .failed
        }
    }

    /// Whether the user typed the whole path. A typed path needs no permission, even if it leads out of the workspace.
    private func isTyped(_ template: TextTemplate) -> Bool {
        guard case .name(let name)? = template.onlyPlaceholder?.value else { return false }
        return parameters.typed.contains(name)
    }

    /// The path of a file. If the file doesn't exist, this is reported before anything is sent.
    private mutating func file(_ path: String, _ purpose: String, at place: Place) -> Evaluated<String> {
        let usable = filePath(path)
        switch world.files.kind(usable) {
        case .file: return .value(usable)
        case nil:
            report(
                .fileMissing, "there is no file \(path.quoted) \(purpose)", at: place,
                hint: "paths are relative to the workspace's root")
        default: report(.fileMissing, "\(path.quoted) is not a regular file", at: place)
        }
        return .failed
    }
}
