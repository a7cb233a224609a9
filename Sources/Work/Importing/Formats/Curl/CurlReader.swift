import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

extension CurlCommand {
    /// The curl commands of a script, and the problems of the script and of its commands. A command with an error is left out.
    ///
    /// - Parameter files: Reads the files of options and headers that commands name.
    package static func read(
        _ script: ShellScript, files: @escaping CurlFiles = { _ in .failure(FileProblem(.missing)) }
    ) -> (commands: [CurlCommand], problems: [Diagnostic]) {
        var commands: [CurlCommand] = []
        var problems = script.problems
        for command in script.commands {
            switch CurlReader.arguments(of: command.words) {
            case .some(let (name, arguments)):
                var reader = CurlReader(name: name, input: command.input, files: files)
                reader.read(arguments)
                commands += reader.commands
                problems += reader.problems
            case nil:
                // A program that is piped into curl, such as `echo`, or that reads from a pipe, such as `jq`, needs no warning.
                guard let name = command.words.first, !command.isPiped, command.input == nil else { continue }
                problems.append(
                    Diagnostic(
                        .warning, code: .curlCommand, "\"\(name.description)\" is not curl; the command is left out",
                        at: name.place))
            }
        }
        return (commands, problems)
    }
}

extension Diagnostic.Code {
    /// A command that asks for help instead of sending something.
    package static let curlHelp: Self = "curl.help"
    static let curlCommand: Self = "curl.command"
    static let curlOption: Self = "curl.option"
    static let curlValue: Self = "curl.value"
    static let curlHeader: Self = "curl.header"
    static let curlForm: Self = "curl.form"
    static let curlURL: Self = "curl.url"
    static let curlConflict: Self = "curl.conflict"
}

/// Reads the arguments of one call of curl.
struct CurlReader {
    private(set) var commands: [CurlCommand] = []
    private(set) var problems: [Diagnostic] = []
    /// The standard input of the program.
    let input: ShellCommand.Input?
    private var part: CurlCommandBuilder
    private var rest: ArraySlice<ShellWord> = []

    private let files: CurlFiles
    /// The number of files of options that may still be read.
    private var filesLeft = 16
    /// The places of the options that name files of options.
    private var configPlaces: Set<Range<Int>> = []

    init(name: ShellWord, input: ShellCommand.Input?, files: @escaping CurlFiles) {
        self.input = input
        self.files = files
        part = CurlCommandBuilder(at: name.place, files: files)
    }

    /// The word `curl` and its arguments. Words before `curl` that only run another program, such as `sudo`, are left out. Nil if
    /// the command isn't a call of curl.
    static func arguments(of words: [ShellWord]) -> (name: ShellWord, arguments: ArraySlice<ShellWord>)? {
        let runners: Set = ["sudo", "time", "exec", "command", "env", "nohup", "builtin", "then", "do", "else", "!"]
        let start = words.firstIndex { word in
            guard let text = word.text else { return false }
            return !runners.contains(text) && !text.hasPrefix("-") && !text.contains("=")
        }
        guard let start, let text = words[start].text else { return nil }
        let program = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last?.lowercased()
        guard program == "curl" || program == "curl.exe" else { return nil }
        return (words[start], words[(start + 1)...])
    }

    /// The number of problems after which a command isn't read any further.
    private static let mostProblems = 100

    mutating func read(_ arguments: ArraySlice<ShellWord>) {
        rest = arguments
        var hasOptions = true
        while part.problems.count < Self.mostProblems, let word = rest.popFirst() {
            part.extend(to: word.place)
            if !hasOptions || word.first != UInt8.minus {
                warnOfDash(word)
                part.urls.append(word)
            } else if word.text == "--" {
                hasOptions = false
            } else if word.dropFirst().first == UInt8.minus {
                readLong(word)
            } else {
                readShort(word)
            }
        }
        endPart()
    }

    private mutating func endPart() {
        let (command, problems) = part.finished()
        // A file may hold secrets, so no message shows what is in it.
        self.problems += problems.map { problem in
            guard let place = problem.place, configPlaces.contains(place.range)
            else {
                return problem
            }
            return Diagnostic(
                problem.severity, code: problem.code, "a line in the file of -K can't be converted", at: place,
                hint: "write the options into the command")
        }
        if let command { commands.append(command) }
    }

    private mutating func report(
        _ code: Diagnostic.Code, _ message: String, at place: Place, hint: String? = nil,
        severity: Diagnostic.Severity = .error
    ) {
        part.problems.append(Diagnostic(severity, code: code, message, at: place, hint: hint))
    }

    /// Warns of a dash that a word processor has made from a minus sign.
    private mutating func warnOfDash(_ word: ShellWord) {
        guard let text = word.text, ["\u{2013}", "\u{2014}", "\u{2212}"].contains(where: text.hasPrefix) else { return }
        report(
            .curlOption, "found a dash that is not a minus sign: \"\(text.prefix(20))\"", at: word.place,
            hint: "write the option with \"-\"")
    }
}

// MARK: Options

extension CurlReader {
    private mutating func readLong(_ word: ShellWord) {
        let option = ShellWord(word.dropFirst(2))
        let sign = option.split(at: UInt8(ascii: "="))
        guard let spelt = (sign?.before ?? option).text else {
            return report(
                .curlOption, "the name of an option is a variable", at: word.place, hint: "write the option itself")
        }
        if spelt.hasPrefix("expand-") {
            if sign == nil { _ = rest.popFirst() }
            return report(
                .curlOption, "variables of curl cannot be read", at: word.place,
                hint: "write --\(spelt.dropFirst(7)) with the value")
        }
        let isOff = spelt.hasPrefix("no-")
        let name = isOff ? String(spelt.dropFirst(3)) : spelt
        // Names of options may be abbreviated, but not after `--no-`.
        let lookup =
            isOff ? CurlOption.byName[name.lowercased()].map { .found($0) } ?? .unknown : CurlOption.named(name)
        switch lookup {
        case .found(let found):
            if isOff, found.argument != .toggle {
                return report(
                    .curlOption, "--\(found.name) cannot be turned off", at: word.place, hint: "remove --\(spelt)")
            }
            // Since curl 8.16, the value may follow an equals sign.
            apply(
                found, spelt: "--\(isOff ? "no-" : "")\(found.name)", place: word.place, isOn: !isOff,
                value: sign?.after)
        case .ambiguous(let names):
            let list = names.prefix(4).map { "--\($0)" }.joined(separator: ", ")
            report(
                .curlOption, "--\(spelt) matches several options", at: word.place,
                hint: "write one of \(list)")
        case .unknown:
            let near = NearNames.question(for: name, among: CurlOption.all.map(\.name))
            report(
                .curlOption, "curl has no option --\(spelt)", at: word.place, hint: near ?? "remove it, with its value")
        }
    }

    /// Reads `-sSLXPOST`: several letters, the last of which may have a value.
    private mutating func readShort(_ word: ShellWord) {
        var index = word.index(after: word.startIndex)
        if index == word.endIndex {
            return report(.curlOption, "found a single \"-\"", at: word.place, hint: "remove it, or write the option")
        }
        while index < word.endIndex {
            let next = word.index(after: index)
            // Only the first letter has a dash.
            let isFirst = index == word.index(after: word.startIndex)
            let place = word.place(of: (isFirst ? word.startIndex : index)..<next)
            guard let byte = word[index], let option = CurlOption.byLetter[Character(Unicode.Scalar(byte))] else {
                let letter = ShellWord(word[index..<next]).description
                return report(
                    .curlOption, "curl has no option -\(letter)", at: place, hint: "remove it, with its value")
            }
            let letter = Character(Unicode.Scalar(byte))
            let takesRest = option.argument == .value && next < word.endIndex
            // The letter -N is short for --no-buffer.
            apply(
                option, spelt: "-\(letter)", place: place, isOn: letter != "N",
                value: takesRest ? ShellWord(word[next...]) : nil)
            if takesRest { return }
            index = next
        }
    }

    /// Puts the options of a file before the arguments that are left.
    private mutating func readConfig(_ name: ShellWord, _ spelt: String) {
        filesLeft -= 1
        guard filesLeft >= 0 else {
            return report(.curlOption, "the command reads too many files of options", at: name.place)
        }
        guard let text = part.text(ofFile: name, input, spelt) else { return }
        configPlaces.insert(name.place.range)
        rest = (CurlConfig.arguments(text, at: name.place) + rest)[...]
    }

    private mutating func apply(
        _ option: CurlOption, spelt: String, place: Place, isOn: Bool, value joined: ShellWord?
    ) {
        guard option.argument == .value else {
            if case .next = option.effect {
                endPart()
                part = CurlCommandBuilder(at: place, files: files)
            } else {
                part.apply(option, spelt: spelt, at: place, isOn: isOn)
            }
            return
        }
        if case .help = option.effect {
            return report(
                .curlHelp, "\(spelt) asks for help, so the command sends nothing", at: place, hint: "remove \(spelt)")
        }
        guard let value = joined ?? rest.popFirst() else {
            return report(
                .curlOption, "\(spelt) has no value", at: place, hint: "add the value, or copy the whole command")
        }
        part.extend(to: value.place)
        if case .config = option.effect { return readConfig(value, spelt) }
        part.apply(option, spelt: spelt, at: place, value: value, input: input)
    }
}
