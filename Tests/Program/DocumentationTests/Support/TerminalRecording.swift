/// A recording of a terminal, as an SVG that moves: commands are typed, and their output appears.
///
/// It has only CSS animations, because an image on a page runs no scripts. All of them last as long as the recording, so that they
/// begin again together. Without animations, or for readers who want no motion, it shows the last screen.
struct TerminalRecording {
    /// A command and its output.
    struct Scene {
        let command: String
        let output: [String]
        /// Whether the screen is cleared before the command.
        var isOnNewScreen = false
        /// The seconds to read the output, before the next command is typed.
        let reading: Double
    }

    let title: String
    let columns: Int
    let scenes: [Scene]

    private static let secondsPerCharacter = 0.022
    /// The seconds between a clear screen and the first character.
    private static let hesitation = 0.4
    /// The seconds between the last character and the output.
    private static let response = 0.15
    /// The columns of the prompt, with the space after it.
    private static let promptWidth = 2

    /// When something happens in a scene, in seconds from the start of the recording.
    private struct Times {
        /// The prompt appears.
        let prompt: Double
        /// The first character is typed.
        let typing: Double
        /// The last character was typed.
        let typed: Double
        /// The output appears.
        let output: Double
        /// The next command can be typed.
        let end: Double
    }

    private var times: [Times] {
        var times: [Times] = []
        for scene in scenes {
            let start = times.last?.end ?? 0
            let isOnNewScreen = times.isEmpty || scene.isOnNewScreen
            let typing = isOnNewScreen ? start + Self.hesitation : start
            let typed = typing + Double(scene.command.count) * Self.secondsPerCharacter
            let output = typed + Self.response
            // On the screen of the scene before, the prompt appears together with the output of that scene.
            let prompt = isOnNewScreen ? start : times[times.count - 1].output
            times.append(
                Times(prompt: prompt, typing: typing, typed: typed, output: output, end: output + scene.reading))
        }
        return times
    }

    /// The seconds until the last output appears.
    var action: Double { times.last?.output ?? 0 }

    /// The number of rows of the largest screen.
    var rows: Int { zip(firstRows, scenes).map { $0 + 1 + $1.output.count }.max() ?? 0 }

    /// The row of each scene's command. A row is left free between two scenes on a screen.
    private var firstRows: [Int] {
        var rows: [Int] = []
        for (index, scene) in scenes.enumerated() {
            let isFirst = index == 0 || scene.isOnNewScreen
            rows.append(isFirst ? 0 : rows[index - 1] + scenes[index - 1].output.count + 2)
        }
        return rows
    }

    var svg: String {
        let times = times
        let duration = times.last?.end ?? 0
        func percent(_ time: Double) -> String { "\((time / duration * 10_000).rounded() / 100)%" }
        var rules = ""
        var content = ""
        for (index, scene) in scenes.enumerated() {
            let (now, row) = (times[index], firstRows[index])
            let next = scenes.indices.dropFirst(index + 1).first { scenes[$0].isOnNewScreen }
            let end = next.map { times[$0].prompt }
            let hidden = end.map { " \(percent($0)), 100% { opacity: 0 }" } ?? ""
            let width = TerminalPicture.tenths(Double(scene.command.count) * TerminalPicture.cell)
            // A cover moves to the right, and the cursor with it.
            rules += """
                @keyframes scene\(index) { 0% { opacity: \(now.prompt == 0 ? 1 : 0) } \
                \(now.prompt == 0 ? "" : "\(percent(now.prompt)) { opacity: 1 }")\(hidden) }
                @keyframes typing\(index) { \
                0%, \(percent(now.typing)) { opacity: 1; transform: translateX(0); \
                animation-timing-function: steps(\(scene.command.count)) } \
                \(percent(now.typed)) { opacity: 1; transform: translateX(\(width)px); animation-timing-function: step-end } \
                \(percent(now.output)), 100% { opacity: 0; transform: translateX(\(width)px) } }
                @keyframes output\(index) { 0% { opacity: 0 } \(percent(now.output)), 100% { opacity: 1 } }
                #scene\(index) { animation-name: scene\(index) } #typing\(index) { animation-name: typing\(index) } \
                #output\(index) { animation-name: output\(index) }

                """
            let x = TerminalPicture.tenths(
                Double(TerminalPicture.margin) + Double(Self.promptWidth) * TerminalPicture.cell)
            let y = TerminalPicture.bar + row * TerminalPicture.lineHeight + 1
            let command = "\u{1B}[2m$\u{1B}[0m \u{1B}[1m\(scene.command)\u{1B}[0m"
            content += """
                <g id="scene\(index)"\(end == nil ? "" : " class=\"early\"")>
                \(TerminalPicture.elements(of: [command], row: row))\
                <g id="typing\(index)" class="cover">\
                <rect x="\(x)" y="\(y)" width="\(width)" height="20" fill="\(TerminalPicture.paper)"/>\
                <rect x="\(x)" y="\(y)" width="\(TerminalPicture.cell)" height="18" fill="#9199a3"/></g>
                <g id="output\(index)">
                \(TerminalPicture.elements(of: scene.output, row: row + 1))</g>
                </g>

                """
        }
        let style = """
            .early, .cover { opacity: 0; }
            @media (prefers-reduced-motion: no-preference) {
            g { animation: \(TerminalPicture.tenths(duration))s step-end infinite; }
            \(rules)}

            """
        // The cover ends where the lines end.
        let width = TerminalPicture.tenths(Double(columns) * TerminalPicture.cell)
        let height = TerminalPicture.bar + rows * TerminalPicture.lineHeight
        let clip = """
            <clipPath id="screen"><rect x="\(TerminalPicture.margin)" y="0" width="\(width)" height="\(height)"/></clipPath>
            """
        return TerminalPicture.window(
            title: title, columns: columns, rows: rows, style: style,
            content: clip + "\n<g clip-path=\"url(#screen)\">\n\(content)</g>\n")
    }
}
