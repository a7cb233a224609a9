import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

extension Context {
    /// The endpoint that a call names. Fails if a word after the endpoint is not a param.
    func endpoint(of flags: RequestFlags, in workspace: Workspace) throws(Failure) -> LocatedEndpoint {
        if let typed = flags.typed { return LocatedEndpoint(typed: typed.name, in: workspace.environment) }
        let endpoint = try endpoint(flags.endpoint, in: workspace)
        if flags.bareWords.isEmpty { return endpoint }
        if let other = flags.bareWords.first(where: { $0.contains(".") && workspace.hasEndpoint($0) }) {
            throw Failure(
                .usage, code: .usageInvalid, "a call has one endpoint; \"\(other)\" is a second one",
                hint: "run it once for each; \"reqcli check\" calls several")
        }
        throw Failure(.usage, BareWords(flags, endpoint).problems)
    }
}

extension Workspace {
    fileprivate func hasEndpoint(_ id: String) -> Bool {
        if case .found = endpoint(id).value { true } else { false }
    }
}

/// Words that are not NAME=VALUE, with the params that may have been meant.
private struct BareWords {
    let words: [String]
    let endpoint: LocatedEndpoint
    /// The params that are not given, required ones first.
    private let candidates: [Named<Parameter>]
    /// The last word before these that is NAME=VALUE with a text, which may be the first part of the value.
    private let textBefore: String?

    init(_ flags: RequestFlags, _ endpoint: LocatedEndpoint) {
        words = flags.bareWords
        self.endpoint = endpoint
        let given = Set(flags.parameters.map(\.name))
        textBefore = flags.parameters.last.flatMap { last in
            guard case .text(let text) = last.source, let parameter = endpoint.parameters[named: last.name],
                parameter.kind == .string, !parameter.isSecret, !LikelySecret.isSecret(last.name, text)
            else { return nil }
            return "\(last.name)=\(text)"
        }
        let open = endpoint.parameters.filter { !given.contains($0.name) }
        candidates = open.filter(\.value.isRequired) + open.filter { !$0.value.isRequired }
    }

    var problems: [Diagnostic] {
        // If the endpoint has a secret param, the word may be its value, so messages don't show the word.
        let isSecret = endpoint.parameters.contains { $0.value.isSecret }
        if let problem = separated(isSecret: isSecret) { return [problem] }
        return words.enumerated().map { index, word in
            if case (let name, TypedRequest.Item.headerMark, _)? = TypedRequest.Item.parts(of: word),
                name.first?.isUppercase == true
            {
                return Diagnostic(
                    code: .parameterInvalid, "\(name):… is not NAME=VALUE", at: nil,
                    hint: "write a header as -H '\(name): …'")
            }
            let shown = isSecret ? "a word after the endpoint" : "\"\(word)\""
            return Diagnostic(
                code: .parameterInvalid, "\(shown) is not NAME=VALUE", at: nil,
                hint: hint(for: word, index, isSecret: isSecret))
        }
    }

    /// The problem of two words that were meant as one: `userID 1` or `userID: 1`.
    private func separated(isSecret: Bool) -> Diagnostic? {
        if words.count == 3, words[1] == "=" { return joined(words[0], words[2], isSecret: isSecret) }
        guard words.count == 2 else { return nil }
        let name = words[0].hasSuffix(":") ? String(words[0].dropLast()) : words[0]
        guard candidates.contains(where: { $0.name == name }) else { return nil }
        return joined(name, words[1], isSecret: isSecret)
    }

    private func joined(_ name: String, _ value: String, isSecret: Bool) -> Diagnostic {
        let assignment = isSecret ? "\(name)=…" : ShellQuoting.quoted("\(name)=\(value)")
        return Diagnostic(
            code: .parameterInvalid, "\"\(name)\" and its value are separate words, not NAME=VALUE", at: nil,
            hint: "did you mean \(assignment)?")
    }

    private func hint(for word: String, _ index: Int, isSecret: Bool) -> String {
        if index == 0, let textBefore, !isSecret {
            return "quote a value with spaces: \(ShellQuoting.quoted("\(textBefore) \(word)"))"
        }
        if endpoint.parameters.contains(where: { $0.name == word }) { return "write \(word)=VALUE" }
        guard candidates.indices.contains(index) else {
            return endpoint.parameters.isEmpty
                ? "\(endpoint.id) takes no params" : "\(endpoint.id) takes no more params"
        }
        let name = candidates[index].name
        if isSecret { return "did you mean \(name)=…?" }
        let isNameless = word.hasPrefix("=") || word.hasPrefix("@=")
        return "did you mean \(ShellQuoting.quoted(name + (isNameless ? "" : "=") + word))?"
    }
}
