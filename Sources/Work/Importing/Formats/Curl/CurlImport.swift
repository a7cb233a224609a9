package import ReqcliDefinitions
package import ReqcliText

/// Imports curl commands, such as commands from browsers or from the docs of an API.
package enum CurlImport: ImportFormat {
    package static let name = "curl"
    package static let summary = "curl commands, as browsers copy them, for any shell"

    package static func looksLike(_ file: SourceFile) -> Bool {
        let head = String(decoding: file.bytes.prefix(4096), as: UTF8.self)
        let line = head.split(whereSeparator: \.isNewline).first { line in
            let text = line.drop { $0 == " " || $0 == "\t" }
            return !text.isEmpty && !text.hasPrefix("#")
        }
        guard let words = line?.split(separator: " ", maxSplits: 3) else { return false }
        let first = words.first { !["$", "%", ">"].contains($0) }
        // A script may do something else before its first command.
        if file.bytes.starts(with: "#!".utf8),
            head.split(whereSeparator: \.isNewline).contains(where: { $0.hasPrefix("curl ") })
        {
            return true
        }
        // Browsers can also copy other commands. The error for such a command says what to choose in the browser instead.
        return first == "curl" || first == "curl.exe" || ForeignCommand.problem(in: file) != nil
    }

    /// The largest text of commands, in bytes.
    private static let largest = 1 << 20

    package static func read(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> ImportedAPI {
        var api = ImportedAPI()
        var problems: [Diagnostic] = []
        for script in try scripts(source, options, &notes) {
            let read = CurlCommand.read(script, files: source.read)
            problems += read.problems
            for var command in read.commands {
                if options.isCall { try command.prepareForCall(source.read) }
                for target in command.targets {
                    var mapping = CurlMapping(command, isExact: options.isExact)
                    api.requests.append(mapping.request(for: target))
                    notes += mapping.notes
                }
            }
        }
        let errors = problems.filter { $0.severity == .error }
        if !errors.isEmpty { throw ImportProblem(problems) }
        notes += problems.map { ConversionNote(.remark, $0.message, at: $0.place) }
        return api
    }

    private static func scripts(
        _ source: ImportSource, _ options: ImportOptions, _ notes: inout [ConversionNote]
    ) throws(ImportProblem) -> [ShellScript] {
        if !source.arguments.isEmpty { return [ShellScript(arguments: source.arguments, name: "the command line")] }
        var scripts: [ShellScript] = []
        for file in source.files {
            guard file.bytes.count <= largest else {
                throw ImportProblem(
                    "\(file.name) is larger than 1 MiB", at: Place(file, 0..<0), hint: "split it into several files",
                    isUsage: true)
            }
            let script = ShellScript.read(file, dialect: options.shell.flatMap { ShellDialect(rawValue: $0) })
            if options.shell == nil, script.dialect != .sh {
                notes.append(
                    ConversionNote(
                        .remark, "the quotes are read by the rules of \(script.dialect.title)", at: Place(file, 0..<0)))
            }
            scripts.append(script)
        }
        return scripts
    }
}
