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

    /// - Parameter canExpand: False if an expansion is not possible at this place, so that every secret is masked.
    mutating func pieces(of bytes: [UInt8], canExpand: Bool = true) -> [ValuePiece] {
        var pieces: [ValuePiece] = []
        var pending: [UInt8] = []
        var shown = 0
        for match in redactor.matches(in: bytes) {
            let secret = secrets[match.secret]
            pending += bytes[shown..<match.range.lowerBound]
            shown = match.range.upperBound
            if canExpand, match.isRaw, secret.isExpandable, syntax.keeps(secret) {
                if !pending.isEmpty { pieces.append(.bytes(pending)) }
                pending = []
                pieces.append(.secret(secret))
                if !expanded.contains(secret) { expanded.append(secret) }
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
            $0.isRaw && secrets[$0.secret].isExpandable && syntax.keeps(secrets[$0.secret])
        }
    }

    /// The notes about masked secrets.
    var notes: [String] {
        masked.map { "<\($0)> stands for a secret that the command can't read by itself; --reveal shows the secret" }
    }
}
