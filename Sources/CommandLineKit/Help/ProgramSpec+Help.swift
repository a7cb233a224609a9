extension ProgramSpec {
    /// The help that `help`, `-h` and `--help` print: of one command, or the overview.
    package func help(for command: CommandSpec? = nil, width: Int, inColour: Bool = false) -> String {
        let page = command.map { HelpPage(of: $0, in: self) } ?? HelpPage(of: self)
        return page.rendered(width: width, inColour: inColour)
    }
}
