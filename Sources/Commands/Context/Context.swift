package import Assembly
package import CommandLineKit
package import Definitions
package import TerminalText

/// Everything that a command needs of the world, as values and closures: a test answers instead.
package struct Context: Sendable {
    package var world: World
    package var writing: FileWriting
    /// The folder in which the program was started; nil where it is gone.
    package var currentFolder: @Sendable () -> String?
    /// The user as whom the program runs.
    package var userID: UInt32
    package var terminal: Terminal
    package var network: Network
    /// Where results go.
    package var output: Output
    /// Where everything else goes.
    package var messages: Output
    /// The flags that say how messages are written.
    package var manners = Manners()
    let keepsakes = Keepsakes()

    package struct Manners: Sendable {
        package var colour = ColourFlag.auto
        /// Problems are told as JSON.
        package var tellsJSON = false
    }

    package init(
        world: World, writing: FileWriting, currentFolder: @escaping @Sendable () -> String?, userID: UInt32,
        terminal: Terminal, network: Network, output: Output, messages: Output
    ) {
        self.world = world
        self.writing = writing
        self.currentFolder = currentFolder
        self.userID = userID
        self.terminal = terminal
        self.network = network
        self.output = terminal.isTerminal(.output) ? output.toTerminal : output
        self.messages = terminal.isTerminal(.error) ? messages.toTerminal : messages
    }
}

extension Context {
    package var files: FileSystem { world.files }

    /// A variable of the process.
    package func variable(_ name: String) -> String? { world.variable(name) }

    /// Whether what goes to a stream is coloured.
    package func isColoured(_ stream: Terminal.Stream) -> Bool {
        TerminalText.colourChoice(
            flag: manners.colour, isTerminal: terminal.isTerminal(stream), environment: world.variable)
    }

    /// The value of a variable that is set to something.
    package func setVariable(_ name: String) -> String? {
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
