/// What `--color` asks for.
package enum ColourFlag: String, CaseIterable, Sendable {
    case auto
    case always
    case never
}

extension TerminalText {
    /// Whether to write colour to one stream: the flag decides, else the environment, else whether it is a terminal.
    ///
    /// `NO_COLOR` (any value but an empty one) beats `FORCE_COLOR`; `FORCE_COLOR=0` or `false` means no colour.
    /// A terminal that is dumb, or that has no name, gets none.
    package static func colourChoice(
        flag: ColourFlag, isTerminal: Bool, environment: (String) -> String?
    ) -> Bool {
        switch flag {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if let noColour = environment("NO_COLOR"), !noColour.isEmpty { return false }
        switch environment("FORCE_COLOR") {
        case nil, "": break
        case "0", "false": return false
        default: return true
        }
        let kind = environment("TERM") ?? ""
        return isTerminal && !kind.isEmpty && kind != "dumb"
    }
}
