/// An option of curl: its spelling, its argument, and its meaning for an endpoint.
struct CurlOption: Sendable {
    enum Argument: Sendable {
        case none
        /// No argument, and `--no-NAME` turns the option off.
        case toggle
        case value
    }

    typealias Path<Value> = any WritableKeyPath<CurlCommand, Value> & Sendable

    enum Effect: Sendable {
        case url, header, userAgent, referer, range, continuation, timeCondition, cookie, upload, form, formString,
            query, globOff, next, trusted
        case data(CurlData.Kind)
        case auth(CurlCommand.AuthKind)
        case word(Path<ShellWord?>)
        case `switch`(Path<Bool>)
        case setting(Path<CurlCommand.Setting<Bool>?>)
        case count(Path<CurlCommand.Setting<Int>?>)
        case duration(Path<CurlCommand.Setting<Duration>?>)
        case minTLS(String)
        /// Takes the same values as the transfer setting of this name.
        case transfer(String)
        /// Only concerns the output, or has no effect on the request and the response.
        case dropped
        /// Only concerns the output. The string is the flag of `reqcli send` that prints or writes the same.
        case printed(String)
        /// Belongs to a call, not to an endpoint. The string is the flag of `reqcli send` that does the same.
        case send(String)
        /// Has no equivalent in reqcli.
        case lost
        /// Asks for help, so that nothing is sent.
        case help
        /// Reads more options from a file.
        case config
        /// Changes the meaning of other options, which cannot be understood without it.
        case refused
    }

    /// The name without the dashes.
    let name: String
    let letter: Character?
    let argument: Argument
    let effect: Effect
    /// Whether the option was added after curl 7.88. Such an option can't be abbreviated, since curl stopped accepting
    /// abbreviations soon after.
    let isNew: Bool

    init(_ name: String, short letter: Character? = nil, _ argument: Argument, _ effect: Effect, isNew: Bool = false) {
        (self.name, self.letter, self.argument) = (name, letter, argument)
        (self.effect, self.isNew) = (effect, isNew)
    }
}

extension CurlOption {
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let byLetter = Dictionary(
        uniqueKeysWithValues: all.compactMap { option in option.letter.map { ($0, option) } })

    enum Lookup {
        case found(CurlOption)
        /// The names of several options begin with this string.
        case ambiguous([String])
        case unknown
    }

    /// The option with a name, or the only option whose name begins with this name. Letters may be in upper or lower case, as
    /// before curl 8.
    static func named(_ name: String) -> Lookup {
        let name = name.lowercased()
        if let option = byName[name] { return .found(option) }
        guard !name.isEmpty else { return .unknown }
        let matches = beginnable[firstIndex(from: name)...].prefix { $0.name.hasPrefix(name) }
        guard let only = matches.first else { return .unknown }
        return matches.count == 1 ? .found(only) : .ambiguous(matches.map(\.name))
    }

    /// The options that can be abbreviated, sorted by name.
    private static let beginnable = all.filter { !$0.isNew }.sorted { $0.name < $1.name }

    private static func firstIndex(from name: String) -> Int {
        var (low, high) = (0, beginnable.count)
        while low < high {
            let middle = (low + high) / 2
            if beginnable[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
