import ReqcliFunctions
import ReqcliRedaction

/// A part of a value in a command: bytes to print, or a secret that the shell reads.
enum ValuePiece: Equatable {
    case bytes([UInt8])
    case secret(RenderedSecret)
}

/// Splits values at their secrets, and records which secrets were masked.
struct SecretText {
    private let secrets: [RenderedSecret]
    private let redactor: Redactor
    private let syntax: any ShellSyntax
    /// The labels of masked secrets, in order, without duplicates.
    private(set) var masked: [String] = []
    /// The secrets that the shell reads, in order, without duplicates.
    private(set) var expanded: [RenderedSecret] = []

    init(_ input: RenderingInput, in syntax: any ShellSyntax) {
        self.syntax = syntax
        secrets = input.secrets
        redactor = input.redactor
    }

    private init(_ secrets: [RenderedSecret], in syntax: any ShellSyntax) {
        self.syntax = syntax
        self.secrets = secrets
        redactor = Redactor(secrets.map { Redactor.Secret(label: $0.label, value: $0.value) })
    }

    /// - Parameter canExpand: False if an expansion is not possible at this place, so that every secret is masked.
    mutating func pieces(of bytes: [UInt8], canExpand: Bool = true) -> [ValuePiece] {
        var pieces: [ValuePiece] = []
        var pending: [UInt8] = []
        var shown = 0
        for match in redactor.matches(in: bytes) {
            let secret = secrets[match.secret]
            pending += bytes[shown..<match.range.lowerBound]
            shown = match.range.upperBound
            if canExpand, match.isRaw, let (secret, inner) = read(secret) {
                if !pending.isEmpty { pieces.append(.bytes(pending)) }
                pending = []
                pieces.append(.secret(secret))
                for secret in inner + [secret] where !expanded.contains(secret) { expanded.append(secret) }
            } else {
                pending += Array("<\(secret.label)>".utf8)
                if !masked.contains(secret.label) { masked.append(secret.label) }
            }
        }
        pending += bytes[shown...]
        if !pending.isEmpty || pieces.isEmpty { pieces.append(.bytes(pending)) }
        return pieces
    }

    mutating func pieces(of text: String, canExpand: Bool = true) -> [ValuePiece] {
        pieces(of: Array(text.utf8), canExpand: canExpand)
    }

    /// Whether the text contains a secret that the shell can read.
    func holdsRawSecret(_ text: String) -> Bool {
        redactor.matches(in: Array(text.utf8)).contains {
            $0.isRaw && read(secrets[$0.secret]) != nil
        }
    }

    /// A secret as the shell reads it, and the secrets that it is made from; nil if the shell can't read it.
    private func read(_ secret: RenderedSecret) -> (secret: RenderedSecret, inner: [RenderedSecret])? {
        guard secret.isExpandable, syntax.keeps(secret) else { return nil }
        guard case .pipe(let pipe) = secret.source else { return (secret, []) }
        // Without the secret itself, because its text could occur in the text that it is made from.
        var inner = SecretText(secrets.filter { $0.value != secret.value }, in: syntax)
        func word(_ text: String) -> String { syntax.word(inner.pieces(of: text)) }
        var line = "printf %s \(word(pipe.input))"
        for filter in pipe.filters { line += " | " + filter.command + (filter.argument.map { " \(word($0))" } ?? "") }
        guard inner.masked.isEmpty, !redactor.isSecret(in: Array(line.utf8)) else { return nil }
        let programs = pipe.filters.compactMap { $0.command.split(separator: " ").first.map(String.init) }
        let source = RenderedSecret.Source.output(line, of: Set(programs).intersection(["base64", "openssl"]))
        let made = RenderedSecret(name: secret.name, value: secret.value, source: source, label: secret.label)
        return (made, inner.expanded)
    }

    /// The notes about masked secrets.
    var notes: [String] {
        masked.map { "<\($0)> stands for a secret that the command can't read by itself; --reveal shows the secret" }
    }
}
