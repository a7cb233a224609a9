/// The value of `--color`.
package enum ColourFlag: String, CaseIterable, Sendable {
    case auto
    case always
    case never
}

extension TerminalText {
    /// Whether to write colour to a stream. The flag decides first, then the environment, then whether the stream is a terminal.
    ///
    /// `NO_COLOR` (with any value that is not empty) takes precedence over `FORCE_COLOR`. `FORCE_COLOR=0` and `FORCE_COLOR=false`
    /// mean no colour. There is no colour if `TERM` is `dumb` or not set.
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
