extension ProgramSpec {
    /// The text of `help`, `-h` and `--help`: help on one command, or the overview.
    package func help(for command: CommandSpec? = nil, width: Int, inColour: Bool = false) -> String {
        let page = command.map { HelpPage(of: $0, in: self) } ?? HelpPage(of: self)
        return page.rendered(width: width, inColour: inColour)
    }
}
