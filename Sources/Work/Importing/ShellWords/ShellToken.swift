import ReqcliBasics
import ReqcliText

/// A token that a lexer finds: a word, or an operator between words.
enum ShellToken {
    case word(ShellWord)
    /// The end of a command: `;`, `&`, `&&`, `||` or the end of a line.
    case end
    case pipe
    /// `< file` or `<<< text`. The target is the next word.
    case input(isText: Bool)
    /// `> file`, `2>&1`. The place is the place of the operator. The target, if there is one, is the next word.
    case output(Place, hasTarget: Bool)
    /// A here-document. The lexer adds the body later, when it reaches the body.
    case hereDocument(ShellWord)
}

/// Makes commands from tokens. The rules are the same for every dialect.
struct CommandAssembler {
    let file: SourceFile
    let dialect: ShellDialect
    private(set) var problems: [Diagnostic]
    private(set) var commands: [ShellCommand] = []
    private var command = ShellCommand()
    private var target: Target?

    private enum Target { case file, text, output(Place) }

    init(file: SourceFile, dialect: ShellDialect, problems: [Diagnostic]) {
        (self.file, self.dialect, self.problems) = (file, dialect, problems)
    }

    mutating func add(_ token: ShellToken) {
        switch token {
        case .word(let word): add(word)
        case .end: endCommand()
        case .pipe:
            let left = endCommand()
            guard let left else { return }
            commands[left].isPiped = true
            command.input = PipedInput.of(commands[left])
        case .input(let isText): target = isText ? .text : .file
        case .output(let place, let hasTarget):
            if hasTarget { target = .output(place) } else { command.outputs.append(place) }
        case .hereDocument(let text): command.input = .text(text)
        }
    }

    private mutating func add(_ word: ShellWord) {
        defer { target = nil }
        switch target {
        case .file: command.input = .file(word)
        // A here-string ends with a line break that its word does not have.
        case .text: command.input = .text(word + ShellWord("\n", at: word.place))
        case .output(let place):
            command.outputs.append(Place(file, place.range.lowerBound..<word.place.range.upperBound))
        case nil:
            if command.words.isEmpty, dialect == .sh {
                if let assignment = assignment(word) {
                    command.assignments.append(assignment)
                    return
                }
                refuseKeyword(word)
            }
            command.words.append(word)
        }
    }

    /// Ends the command that is being read.
    ///
    /// - Returns: The index of the command; nil if there was none.
    @discardableResult
    mutating func endCommand() -> Int? {
        defer { (command, target) = (ShellCommand(), nil) }
        if command.words.isEmpty, command.assignments.isEmpty { return nil }
        commands.append(command)
        return commands.count - 1
    }

    /// `NAME=value`, if neither the name nor the sign is quoted.
    private func assignment(_ word: ShellWord) -> ShellCommand.Assignment? {
        let source = file.bytes[word.place.range]
        guard let sign = source.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: source[..<sign], as: UTF8.self)
        guard name.isVariableName, let value = word.split(at: UInt8(ascii: "="))?.after else { return nil }
        return ShellCommand.Assignment(name: name, value: value)
    }

    private static let keywords: Set = ["for", "while", "until", "if", "case", "select", "function", "{", "[["]

    private mutating func refuseKeyword(_ word: ShellWord) {
        guard let text = word.text, Self.keywords.contains(text), text.utf8.count == word.place.range.count else {
            return
        }
        problems.append(
            Diagnostic(
                code: .shellSyntax, "found \"\(text)\"; only simple commands can be read", at: word.place,
                hint: "paste only the curl commands, and write values in place of variables"))
    }
}

extension Diagnostic.Code {
    static let shellSyntax: Self = "shell.syntax"
    static let shellQuote: Self = "shell.quote"
    static let shellSubstitution: Self = "shell.substitution"
    static let shellVariable: Self = "shell.variable"
    static let shellText: Self = "shell.text"
    static let shellForeign: Self = "shell.foreign"
}
