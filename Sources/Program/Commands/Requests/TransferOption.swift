import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// An option of the command line that changes a transfer setting.
struct TransferOption: Sendable {
    let spec: OptionSpec
    /// The change for a command line; nil without the option.
    let override: @Sendable (ParsedArguments) -> CommandLineOverride?

    /// The options for all flags of some settings, each row being a setting.
    static func all(_ rows: [TransferRow]) -> [TransferOption] {
        rows.flatMap { row in row.flags.map { TransferOption(row, $0) } }
    }

    /// The rules that exclude flags from each other if they set the same setting to different values.
    static func rules(_ rows: [TransferRow]) -> [OptionRule] {
        rows.filter { $0.flags.count > 1 }.map { .atMostOne(all([$0]).map(\.spec)) }
    }

    /// The changes of those options that are on the command line.
    ///
    /// - Parameters:
    ///   - options: The options that a command may have. Options that it doesn't define are left out.
    static func overrides(_ options: [TransferOption], _ parsed: ParsedArguments) -> [CommandLineOverride] {
        options.compactMap { $0.override(parsed) }
    }

    private init(_ row: TransferRow, _ flag: TransferRow.Flag) {
        let name = "--\(flag.name)"
        switch flag.kind {
        case .toggle:
            self.init(row, Toggle(flag.name, short: flag.short, flag.summary, otherwise: flag.otherwise)) { isOn in
                isOn.map { ([$0 ? "true" : "false"], $0 ? name : "--no-\(flag.name)") }
            }
        case .sets(let text):
            self.init(row, Flag(flag.name, short: flag.short, flag.summary)) { $0 ? ([text], name) : nil }
        case .value:
            let option = Option(flag.name, short: flag.short, row.value, flag.summary, otherwise: flag.otherwise)
            self.init(row, option) { text in
                text.map { ([$0], "\(name) \($0.isEmpty ? "''" : $0)") }
            }
        case .repeated:
            self.init(row, Option(repeated: flag.name, short: flag.short, row.value, flag.summary)) { texts in
                texts.first.map { (texts, "\(name) \($0)") }
            }
        }
    }

    private init<Value>(
        _ row: TransferRow, _ option: Option<Value>,
        given: @escaping @Sendable (Value) -> (texts: [String], flag: String)?
    ) {
        spec = option.spec
        override = { parsed in
            guard parsed.isDefined(option), let given = given(parsed[option]) else { return nil }
            return row.override(given.texts).map { CommandLineOverride($0, flag: given.flag) }
        }
    }
}

extension TransferRow {
    /// The change to the setting. The option has already checked the strings.
    fileprivate func override(_ texts: [String]) -> CommandLineOverride.Change? {
        if let file { return texts.last.map { .transferFile(file, path: $0) } }
        return (try? change(texts)).map { .transfer($0) }
    }

    /// The spec of the value, a string that the codec of the setting checks.
    fileprivate var value: ValueSpec<String> {
        if file != nil { return .plainFile }
        return ValueSpec(
            text.placeholder, expected: text.expected ?? Sentence.alternatives(text.words),
            words: text.words.map { ValueWord($0) }, completion: text.isPath ? .file : .nothing,
            mayHoldSecret: text.mayHoldSecret, text: { $0 }
        ) { (text) throws(InvalidValue) in
            do throws(SettingComplaint) {
                _ = try change([text])
                return text
            } catch {
                throw InvalidValue(hint: error.hint)
            }
        }
    }
}
