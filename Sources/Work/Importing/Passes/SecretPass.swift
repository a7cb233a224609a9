import Foundation
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Replaces credentials in requests and environments by secrets. Credentials are found by their place, their name and their form.
/// If the same value occurs several times, it becomes one secret.
struct SecretPass {
    /// The beginning of the names of the process variables: `SHOP` in `SHOP_TOKEN`.
    let prefix: String
    /// Whether the prefix is only the name of the first environment.
    private let namesEnvironment: Bool
    private(set) var secrets: [ImportedSecret] = []
    private var byValue: [String: String] = [:]
    private var byVariable: [String: String] = [:]
    private var declaredNames: [String: String] = [:]
    private var firstValues: [String: String] = [:]
    /// Values that are masked, but not replaced by their secrets at other places.
    private var hidden: [String: String] = [:]
    /// Secrets whose values differ from those of the first environment, by the names of their environments and their own names.
    private(set) var ownSecrets: [String: [String: ImportedSecret]] = [:]
    /// For each name, the number of secrets that should have this name. From the second secret on, a number is added to the name.
    private var counts: [String: Int] = [:]
    /// The secrets and variables of the workspace that the source may use.
    private let plan: CredentialPlan
    /// Whether secrets keep the names that they have in the source, if these names are valid.
    private var keepsNames = false

    init(prefix: String, namesEnvironment: Bool = false, plan: CredentialPlan = CredentialPlan()) {
        self.prefix = prefix
        self.namesEnvironment = namesEnvironment
        self.plan = plan
    }

    /// The process variable of a secret that the environment had before the import.
    private func existing(_ name: String) -> String? { plan.environment?.ownSecret(name) }

    mutating func apply(to api: inout ImportedAPI, isExact: Bool) {
        keepsNames = api.isExported
        let credentials = Self.credentials(of: api)
        declareUndefined(credentials, in: &api)
        for index in api.environments.indices { takeSecrets(of: &api.environments[index], credentials) }
        for environment in api.environments {
            for secret in environment.secrets { declare(secret, in: environment.name) }
        }
        // An environment without a value must not get the value of another one.
        for environment in api.environments {
            let own = Set(environment.secrets.filter { $0.value != "" }.compactMap { declaredNames[$0.name] })
            for name in firstValues.keys.sorted() where !own.contains(name) {
                declareOwn(name, nil, in: environment.name)
            }
        }
        forgetSharedValues()
        for index in api.requests.indices where api.isExported {
            api.requests[index].mapTexts { namingSecrets($1) { $0.hasPrefix(Self.statedMark) } }
        }
        // The requests are processed in a fixed order, so that the names of secrets don't depend on the order in the source.
        let order = api.requests.indices.sorted {
            let (one, other) = (api.requests[$0], api.requests[$1])
            return (one.base ?? "", one.path, one.method, $0) < (other.base ?? "", other.path, other.method, $1)
        }
        for index in order { replaceSecrets(in: &api.requests[index], isExact: isExact) }
        for index in api.environments.indices { replaceSecrets(in: &api.environments[index]) }
        if !keepsNames {
            for index in api.requests.indices { api.requests[index].markCaptures(credentials) }
        }
        let known = known
        api.mapTexts { known.replacing(in: $1) }
        let redactor = known.redactor
        for index in api.requests.indices { api.requests[index].mask(redactor) }
        for index in api.environments.indices {
            api.environments[index].description = api.environments[index].description.map { redactor.maskingTokens($0) }
        }
        api.schemas = api.schemas.map {
            OrderedJSON.Member($0.name, $0.value.mappingTexts { redactor.maskingTokens($0) })
        }
    }

    /// The secret values that have been found so far.
    var known: KnownSecrets { KnownSecrets(byValue, alsoMasking: hidden) }

    // MARK: Requests

    private mutating func replaceSecrets(in request: inout ImportedRequest, isExact: Bool) {
        if !isExact { request.moveAuthorization() }
        for index in request.params.indices where request.params[index].hasSecretValue {
            request.params[index].makeSecret()
        }
        // A body that is text may contain values with names, as JSON or forms do. Later steps don't look for names in text.
        if case .text(let text)? = request.body { request.body = .text(replacedNamed(inBody: text)) }
        let params = Set(request.params.map(\.name))
        var secretParams: Set<String> = []
        request.mapTexts { role, text in replaced(text, role, params: params, marking: &secretParams) }
        for index in request.params.indices where secretParams.contains(request.params[index].name) {
            request.params[index].makeSecret()
        }
        // Items of a query that is text are found by their names.
        if case .text(let text) = request.query { request.query = .text(replacedItems(of: text)) }
        if case .json(let value)? = request.body { request.body = .json(request.hidingNumbers(in: value)) }
    }

    private mutating func replaced(
        _ text: String, _ role: TextRole, params: Set<String>, marking secretParams: inout Set<String>
    ) -> String {
        var template = TemplateText(text)
        guard let name = Self.secretName(role, text, isExported: keepsNames) else {
            template.pieces = template.pieces.flatMap { piece in
                switch piece {
                case .literal(let literal): return splittingTokens(of: literal)
                case .placeholder(let content):
                    let name = role.name ?? "token"
                    if content.hasPrefix(Self.variableMark) {
                        return [.placeholder(placeholder(forMarked: content, named: name))]
                    }
                    guard content.hasPrefix("$env."),
                        plan.refusedProcessVariables.contains(String(content.dropFirst(5)))
                    else {
                        return [piece]
                    }
                    return [.placeholder("secret." + secret(named: name, variable: String(content.dropFirst(5))))]
                }
            }
            return template.text
        }
        // In an Authorization header with another scheme, the scheme isn't secret.
        if case .named(let header) = role, header.lowercased().hasSuffix("authorization"),
            case .literal(let whole)? = TemplateText(text).pieces.first, let space = whole.firstIndex(of: " "),
            whole[..<space].allSatisfy({ $0.isLetter || $0 == "-" })
        {
            let scheme = String(whole[...space])
            let credentials = TemplateText(
                [.literal(String(whole[whole.index(after: space)...]))]
                    + TemplateText(text).pieces.dropFirst())
            return scheme + replaced(credentials.text, .credential("token"), params: params, marking: &secretParams)
        }
        var before = ""
        for piece in template.pieces {
            switch piece {
            case .literal(let text): before = text
            case .placeholder(let placeholder):
                if params.contains(placeholder), !role.isOpenCookie(before) { secretParams.insert(placeholder) }
            }
        }
        template.pieces = template.pieces.map { piece in
            switch piece {
            case .literal(let literal):
                if case .named(let header) = role, header.lowercased() == "cookie", literal.isCookieName {
                    return piece
                }
                return literal.allSatisfy({ $0 == " " }) || literal.isEmpty
                    ? piece : .placeholder("secret." + secret(named: name, value: literal))
            case .placeholder(let content):
                if content.hasPrefix(Self.variableMark) {
                    return .placeholder(placeholder(forMarked: content, named: name))
                }
                guard content.hasPrefix("$env.") else { return piece }
                return .placeholder("secret." + secret(named: name, variable: String(content.dropFirst(5))))
            }
        }
        return template.text
    }

    /// The beginning of a placeholder for a process variable that contains a secret. Readers write such placeholders, and this
    /// pass recognizes them at every place.
    static let variableMark = "$secret."
    /// The beginning of a placeholder for a secret that the source declares by its name, as files of a workspace do.
    static let statedMark = "secret."

    private mutating func placeholder(forMarked content: String, named name: String) -> String {
        "secret." + secret(named: name, variable: String(content.dropFirst(Self.variableMark.count)))
    }

    /// The text, split at tokens of well-known kinds. Each token is replaced by a secret, and the text around it is kept.
    private mutating func splittingTokens(of text: String) -> [TemplateText.Piece] {
        if text.contains("PRIVATE KEY-----") {
            return [.placeholder("secret." + secret(named: "privateKey", value: text))]
        }
        var pieces: [TemplateText.Piece] = []
        var rest = text[...]
        for (name, value) in LikelySecret.secrets(in: text) {
            pieces.append(.literal(String(rest[..<value.startIndex])))
            pieces.append(.placeholder("secret." + secret(named: name ?? "token", value: String(value))))
            rest = text[value.endIndex...]
        }
        pieces.append(.literal(String(rest)))
        return pieces.filter { $0 != .literal("") }
    }

    /// Replaces secrets that are found by name in the text of a query or a form.
    private mutating func replacedItems(of text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let value = item[item.index(after: equals)...]
            let name = PercentEncoding.decoded(item[..<equals])
            let decoded = PercentEncoding.decoded(value)
            // A token that is percent-encoded wouldn't be found later in the encoded text.
            let isHidden = LikelySecret.isIn(decoded) && !LikelySecret.isIn(String(value))
            guard LikelySecret.isSecret(name, decoded) || isHidden, !value.contains("{{") else { return String(item) }
            return "\(item[...equals]){{secret.\(secret(named: name, value: decoded))}}"
        }.joined(separator: "&")
    }

    /// Replaces secrets that are found by name in a JSON or form body that is kept as text.
    private mutating func replacedNamed(inBody text: String) -> String {
        let document = JSONDocument.read(SourceFile(name: "body", text: text))
        guard let root = document.validRoot, root.kind == .object || root.kind == .array else {
            let isForm = text.contains("=") && !text.contains { $0.isWhitespace }
            return isForm ? replacedItems(of: text) : text
        }
        var edits: [TextEdit] = []
        for object in root.descendants where object.kind == .object {
            for member in object.members {
                guard member.value.kind == .string || member.value.kind == .number else { continue }
                let inner = member.value.kind == .string ? member.value.innerRange : member.value.range
                let value = document.file.text(inner)
                if !LikelySecret.isSecret(member.name, value) || value.contains("{{") { continue }
                edits.append(TextEdit(inner, "{{secret.\(secret(named: member.name, value: value))}}"))
            }
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        return String(decoding: edits.applied(to: document.file.bytes), as: UTF8.self)
    }

    // MARK: Environments

    /// Makes secrets from variables that are used as credentials, if neither the source nor the environment defines these
    /// variables.
    private mutating func declareUndefined(_ credentials: Set<String>, in api: inout ImportedAPI) {
        var defined = plan.variables
        for environment in api.environments {
            defined.formUnion(environment.variables.map(\.name))
            defined.formUnion(environment.secrets.map(\.name))
        }
        for request in api.requests {
            defined.formUnion(request.params.map(\.name))
            defined.formUnion(request.captures.map(\.name))
        }
        let named = api.environments.flatMap(\.variables).reduce(into: Set<String>()) { names, variable in
            guard case .string(let text) = variable.value else { return }
            names.formUnion(TemplateText(text).placeholders.filter(LikelySecret.isName))
        }
        let undefined = credentials.union(named).subtracting(defined).filter { name in
            !name.contains { "$.".contains($0) } && ParamNames.clean(name) == name
        }
        if undefined.isEmpty { return }
        if api.environments.isEmpty { api.environments = [ImportedEnvironment()] }
        for name in undefined.sorted() {
            if existing(name) != nil, !plan.hiddenSecrets.contains(name) { declaredNames[name] = name }
            api.environments[0].secrets.append(OrderedJSON.Member(name, ""))
        }
    }

    /// Turns variables with secret values into secrets of the same name.
    private mutating func takeSecrets(of environment: inout ImportedEnvironment, _ credentials: Set<String>) {
        let likely = environment.variables.filter { variable in
            guard case .string(let text) = variable.value else { return false }
            return !text.isEmpty && !text.contains("{{")
                && (LikelySecret.isSecret(variable.name, text) || LikelySecret.isIn(text)
                    || credentials.contains(variable.name))
        }
        let names = Set(likely.map(\.name))
        environment.variables.removeAll { names.contains($0.name) }
        let known = Set(environment.secrets.map(\.name))
        environment.secrets += likely.filter { !known.contains($0.name) }
    }

    private mutating func replaceSecrets(in environment: inout ImportedEnvironment) {
        var none: Set<String> = []
        environment.mapTexts { role, text in namingSecrets(replaced(text, role, params: [], marking: &none)) }
    }

    /// The text with placeholders for secrets in place of placeholders for variables that have become secrets.
    private func namingSecrets(_ text: String, where isNamed: (String) -> Bool = { _ in true }) -> String {
        TemplateText.renaming(in: text) { name in isNamed(name) ? declaredNames[name].map { "secret.\($0)" } : nil }
    }

    // MARK: Names

    /// Declares a secret of an environment. If an earlier environment has another value for the name, the environment gets a
    /// process variable of its own, since its servers must not get the other value.
    private mutating func declare(_ secret: OrderedJSON.Member, in environment: String?) {
        let name = name(of: secret)
        guard case .string(let value) = secret.value, !value.isEmpty else { return }
        guard let first = firstValues[name] else {
            firstValues[name] = value
            return
        }
        if first != value { declareOwn(name, value, in: environment) }
    }

    /// Forgets the values of secrets that differ between the environments. At another place of the source, such a value is meant in
    /// every environment, so it needs a secret of its own.
    private mutating func forgetSharedValues() {
        let names = Set(ownSecrets.values.flatMap(\.keys))
        for (value, name) in byValue where names.contains(name) {
            byValue[value] = nil
            hidden[value] = name
        }
        for secret in ownSecrets.values.flatMap(\.values) {
            if let value = secret.value { hidden[value] = secret.name }
        }
    }

    private mutating func declareOwn(_ name: String, _ value: String?, in environment: String?) {
        guard let environment, ownSecrets[environment]?[name] == nil else { return }
        let own = namesEnvironment ? Words.variablePrefix(environment) : "\(prefix)_\(Words.upper(environment))"
        let stem = Self.variable(for: name, prefix: own)
        let variable = (1...).lazy.map { $0 == 1 ? stem : "\(stem)_\($0)" }.first { [byVariable, plan] in
            byVariable[$0] == nil && !plan.refusedProcessVariables.contains($0)
        }
        guard let variable else { return }
        byVariable[variable] = name
        ownSecrets[environment, default: [:]][name] = ImportedSecret(name: name, variable: variable, value: value)
    }

    /// The name of a secret that an environment of the source declares.
    mutating func name(of declared: OrderedJSON.Member) -> String {
        var value: String?
        if case .string(let text) = declared.value, !text.isEmpty { value = text }
        if let known = declaredNames[declared.name] {
            if let value, byValue[value] == nil { byValue[value] = known }
            return known
        }
        let wanted =
            declared.name.hasPrefix(Self.statedMark)
            ? String(declared.name.dropFirst(Self.statedMark.count)) : declared.name
        let name = value.map { secret(named: wanted, value: $0) } ?? add(wanted)
        declaredNames[declared.name] = name
        return name
    }

    private mutating func secret(named name: String, value: String) -> String {
        if let known = byValue[value] { return known }
        let name = add(name, value: value)
        byValue[value] = name
        return name
    }

    private mutating func secret(named name: String, variable: String) -> String {
        if let known = byVariable[variable] { return known }
        return add(name, variable: variable)
    }

    /// The process variable for a secret: `SHOP_API_KEY`.
    static func variable(for name: String, prefix: String) -> String {
        [prefix, Words.upper(name)].filter { !$0.isEmpty }.joined(separator: "_")
    }

    private mutating func add(_ wanted: String, value: String? = nil, variable: String? = nil) -> String {
        let camel = Words.camel(wanted)
        let stem = keepsNames && Name.isValid(wanted) ? wanted : camel.isEmpty ? "secret" : camel
        let upper = Self.variable(for: stem, prefix: prefix)
        while true {
            let number = counts[stem, default: 0] + 1
            counts[stem] = number
            let name = number == 1 ? stem : "\(stem)\(number)"
            let stated = variable.flatMap { plan.refusedProcessVariables.contains($0) ? nil : $0 }
            let own = stated ?? (number == 1 ? upper : "\(upper)_\(number)")
            if byVariable[own] != nil || plan.refusedNames.contains(name) || plan.refusedProcessVariables.contains(own)
                || existing(name).map({ $0 != own }) ?? false
            {
                continue
            }
            byVariable[variable ?? own] = name
            byVariable[own] = name
            secrets.append(ImportedSecret(name: name, variable: own, value: value))
            return name
        }
    }
}

extension TextRole {
    /// Whether a param is the value of a cookie whose name doesn't show that the value is a secret: `lang`.
    ///
    /// - Parameter before: The text before the param: `; lang=`.
    fileprivate func isOpenCookie(_ before: String) -> Bool {
        guard case .named(let header) = self, header.lowercased() == "cookie", before.hasSuffix("=") else {
            return false
        }
        let name = before.dropLast().split(whereSeparator: { "; ".contains($0) }).last.map(String.init) ?? ""
        return !LikelySecret.mayBeName(name)
    }
}

extension String {
    /// Whether a part of a Cookie header is only the name of a cookie, without the value: `; theme=`.
    fileprivate var isCookieName: Bool {
        let name = Substring(self).drop { $0 == ";" || $0 == " " }
        return name.hasSuffix("=") && !name.dropLast().contains { "=; ".contains($0) }
    }
}

extension ImportedParam {
    /// Whether the default or the example is secret. A default can't refer to a secret of the environment, so the caller must give
    /// such a value.
    fileprivate var hasSecretValue: Bool {
        let samples = [defaultValue, example].compactMap(\.self)
        return samples.contains { $0 != .string("") }
            && (LikelySecret.isName(name)
                || samples.contains { LikelySecret.isIn(.object([OrderedJSON.Member(name, $0)])) })
    }
}
