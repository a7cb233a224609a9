import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The options of a command while they are read, up to `--next`.
struct CurlCommandBuilder {
    var urls: [ShellWord] = []
    var problems: [Diagnostic] = []
    private var command: CurlCommand
    private var uploads: [CurlContent] = []
    private var hasGlobs = true
    /// Headers from options such as `-A` or `-e`. Headers of `-H` override these headers.
    private var namedHeaders: [CurlHeader] = []
    private var cookies: [ShellWord] = []

    private let files: CurlFiles

    init(at place: Place, files: @escaping CurlFiles) {
        command = CurlCommand(place: place)
        self.files = files
    }

    /// The text of a file that the command names, or of its standard input. Reports a file that can't be read.
    mutating func text(ofFile name: ShellWord, _ input: ShellCommand.Input?, _ spelt: String) -> String? {
        if name.text == "-", case .text(let word) = input { return word.text }
        guard let path = name.text, path != "-" else {
            report(
                .curlOption, "\(spelt) reads \(name.text == "-" ? "standard input" : "a file that a variable names")",
                at: name.place, hint: "write its content into the command")
            return nil
        }
        let fileName = path.split(separator: "/").last.map(String.init) ?? ""
        if fileName.hasPrefix(".env") || fileName.hasSuffix("netrc") {
            report(
                .curlOption, "\(spelt) names a file of secrets, \(fileName), which is not read", at: name.place,
                hint: "write what the request needs into the command")
            return nil
        }
        switch files(path) {
        case .success(let file):
            if let text = String(validating: file.bytes, as: UTF8.self) { return text }
            report(.curlOption, "the file of \(spelt) is not text in UTF-8: \(path)", at: name.place)
        case .failure(let problem):
            report(
                .curlOption, "the file of \(spelt) can't be read: \(path): \(problem.reason)", at: name.place,
                hint: "run the import where the file is, or write its content into the command")
        }
        return nil
    }

    mutating func extend(to place: Place) {
        let end = max(command.place.range.upperBound, place.range.upperBound)
        command.place = Place(place.file, command.place.range.lowerBound..<end)
    }

    private mutating func report(
        _ code: Diagnostic.Code, _ message: String, at place: Place, hint: String? = nil,
        severity: Diagnostic.Severity = .error
    ) {
        problems.append(Diagnostic(severity, code: code, message, at: place, hint: hint))
    }

    /// Applies an option without a value.
    mutating func apply(_ option: CurlOption, spelt: String, at place: Place, isOn: Bool) {
        switch option.effect {
        case .switch(let path): command[keyPath: path] = isOn
        case .setting(let path): command[keyPath: path] = CurlCommand.Setting(value: isOn, place: place)
        case .trusted:
            command.trustsRedirects = CurlCommand.Setting(value: isOn, place: place)
            command.followsRedirects = CurlCommand.Setting(value: isOn, place: place)
        case .auth(let kind):
            command.authKinds.removeAll { $0.value == kind }
            if isOn { command.authKinds.append(CurlCommand.Setting(value: kind, place: place)) }
        case .minTLS(let version): command.minTLSVersion = CurlCommand.Setting(value: version, place: place)
        case .globOff: hasGlobs = !isOn
        case .printed(let flag):
            command.printing.removeAll { $0.flag == flag && $0.value == nil && !isOn }
            if isOn { command.printing.append((flag, nil)) }
        case .dropped where isOn || option.name == "clobber": command.leftOut.append(option.name)
        case .send(let flag) where isOn: addUnsupported(spelt, nil, flag, place)
        case .lost where isOn: addUnsupported(spelt, nil, nil, place)
        default: break
        }
    }

    /// Applies an option with its value.
    mutating func apply(
        _ option: CurlOption, spelt: String, at place: Place, value: ShellWord, input: ShellCommand.Input?
    ) {
        let whole = Place(
            place.file, place.range.lowerBound..<max(place.range.upperBound, value.place.range.upperBound))
        switch option.effect {
        case .url: urls.append(value)
        case .word(let path): command[keyPath: path] = value
        case .transfer(let name):
            command.transferSettings.removeAll { $0.name == name }
            command.transferSettings.append(CurlCommand.TransferWord(option: spelt, name: name, word: value))
        case .count(let path): set(path, from: value, spelt, CurlNumber.count)
        case .duration(let path): set(path, from: value, spelt, CurlNumber.duration)
        case .header: addHeader(value, input, at: whole)
        case .userAgent: addNamedHeader("User-Agent", value.isEmpty ? nil : value, at: whole)
        case .referer: addReferer(value, at: whole)
        case .range: addRange(value, at: whole)
        case .continuation where value.text == "-": addUnsupported(spelt, value, "--continue", whole)
        case .continuation:
            command.leftOut.append(option.name)
            addRange(value, at: whole)
        case .timeCondition: addTimeCondition(value, spelt, at: whole)
        case .cookie: addCookie(value)
        case .upload:
            // In curl, "." also is standard input.
            content(of: value.text == "." ? ShellWord("-", at: value.place) : value, input).map { uploads.append($0) }
        case .data(let kind): data(kind, value, input, at: whole).map { command.data.append($0) }
        case .query: addQuery(value, input, at: whole)
        case .form, .formString: addForm(value, option, input, at: whole)
        case .printed(let flag): command.printing.append((flag, value))
        case .dropped: command.leftOut.append(option.name)
        case .send(let flag): addUnsupported(spelt, value, flag, whole)
        case .lost: addUnsupported(spelt, value, nil, whole)
        case .refused:
            report(
                .curlOption, "\(spelt) is not supported, because its options or values are not in the command",
                at: whole,
                hint: "write them into the command")
        default: break
        }
    }

    private mutating func addUnsupported(_ option: String, _ value: ShellWord?, _ flag: String?, _ place: Place) {
        command.unsupported.append(CurlCommand.Unsupported(option: option, value: value, flag: flag, place: place))
    }

    private mutating func set<Value>(
        _ path: WritableKeyPath<CurlCommand, CurlCommand.Setting<Value>?>, from word: ShellWord, _ spelt: String,
        _ read: (String) -> Value?
    ) {
        guard let text = word.text else {
            return report(
                .curlValue, "the value of \(spelt) is a variable; the option is left out", at: word.place,
                hint: "write the number in place of the variable", severity: .warning)
        }
        guard let value = read(text) else {
            return report(
                .curlValue, "the value of \(spelt) is \"\(text.prefix(40))\"; expected a number", at: word.place,
                hint: "write a number such as 5")
        }
        command[keyPath: path] = CurlCommand.Setting(value: value, place: word.place)
    }
}

// MARK: Headers

extension CurlCommandBuilder {
    private mutating func addHeader(_ word: ShellWord, _ input: ShellCommand.Input? = nil, at place: Place) {
        if let name = word.removingFirst(UInt8(ascii: "@")) {
            for line in text(ofFile: name, input, "-H")?.split(whereSeparator: \.isNewline) ?? [] {
                let line = String(line).trimmed
                // A line that begins with "@" names no further file.
                if line.isEmpty || line.hasPrefix("@") { continue }
                // The line may be a secret, so no message shows it.
                guard let name = line.firstIndex(where: { ":;".contains($0) }), String(line[..<name]).isToken else {
                    report(
                        .curlHeader, "the file of -H has a line that is not a header; it is left out", at: place,
                        severity: .warning)
                    continue
                }
                addHeader(ShellWord(line, at: place), at: place)
            }
            return
        }
        if let (name, value) = word.split(at: .colon) {
            let trimmed = ShellWord(value.drop { $0?.isSpaceOrTab == true })
            return add(name, trimmed.isEmpty ? nil : trimmed, at: place)
        }
        if word.last == UInt8(ascii: ";") {
            return add(ShellWord(word.dropLast()), ShellWord([], at: place), at: place)
        }
        if word.text == nil {
            return report(
                .curlHeader, "the name of the header is in a variable", at: word.place,
                hint: "write the name itself: -H \"Name: $VALUE\"")
        }
        report(
            .curlHeader, "\"\(word.description)\" is not a header, and curl leaves it out", at: word.place,
            hint: "write -H 'Name: value'", severity: .warning)
    }

    private mutating func add(_ name: ShellWord, _ value: ShellWord?, at place: Place) {
        guard let text = name.text, text.isToken else {
            return report(
                .curlHeader, "\"\(name.description)\" is not a valid header name", at: name.place,
                hint: "names are letters, digits and dashes")
        }
        command.headers.append(CurlHeader(name: name, value: value, place: place))
    }

    /// Sets a header from an option such as `-A` or `-e`. If the option repeats, the last one counts.
    private mutating func addNamedHeader(_ name: String, _ value: ShellWord?, at place: Place) {
        namedHeaders.removeAll { $0.name.text == name }
        namedHeaders.append(CurlHeader(name: ShellWord(name, at: place), value: value, place: place))
    }

    private mutating func addReferer(_ word: ShellWord, at place: Place) {
        let isAutomatic = word.count >= 5 && ShellWord(word.suffix(5)).text == ";auto"
        let value = isAutomatic ? ShellWord(word.dropLast(5)) : word
        if isAutomatic { addUnsupported("--referer ;auto", nil, nil, place) }
        if !value.isEmpty { addNamedHeader("Referer", value, at: place) }
    }

    private mutating func addRange(_ word: ShellWord, at place: Place) {
        let isNumber = word.text.map { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) } ?? false
        // curl adds a dash to a range that is a single number.
        let range = isNumber ? word + ShellWord("-", at: word.place) : word
        addNamedHeader("Range", ShellWord("bytes=", at: word.place) + range, at: place)
    }

    /// Adds the date of `-z`. curl accepts dates in many formats and converts them to the format of HTTP. Here, only the usual
    /// ones are supported.
    private mutating func addTimeCondition(_ word: ShellWord, _ spelt: String, at place: Place) {
        let isReversed = word.first == UInt8(ascii: "-")
        let date = isReversed ? ShellWord(word.dropFirst()) : word
        guard let text = date.text.flatMap({ CurlDate.httpDate($0) }) else {
            return addUnsupported(spelt, word, nil, place)
        }
        addNamedHeader(
            isReversed ? "If-Unmodified-Since" : "If-Modified-Since", ShellWord(text, at: date.place), at: place)
    }

    private mutating func addCookie(_ word: ShellWord) {
        // A value without an equals sign is a file. An empty value only turns the cookie engine on.
        if word.contains(UInt8(ascii: "=")) || word.text == nil {
            cookies.append(word)
        } else if !word.isEmpty {
            command.cookieFiles.append(word)
        }
    }
}

// MARK: Bodies

extension CurlCommandBuilder {
    /// A file by its name, or the content of the standard input for `-`.
    private mutating func content(of name: ShellWord, _ input: ShellCommand.Input?) -> CurlContent? {
        guard name.text == "-" else { return .file(name) }
        switch input {
        case nil: return .file(name)
        case .text(let text): return .text(text)
        case .file(let file): return .file(file)
        case .command(let place):
            report(
                .curlValue, "curl would read the output of another command here, but reqcli runs no commands",
                at: place,
                hint: "save the output in a file, and write @FILE instead of @-")
            return nil
        }
    }

    private mutating func data(
        _ kind: CurlData.Kind, _ word: ShellWord, _ input: ShellCommand.Input?, at place: Place
    ) -> CurlData? {
        if kind == .urlEncoded { return encodedData(word, input, at: place) }
        guard kind != .raw, let file = word.removingFirst(UInt8(ascii: "@")) else {
            return CurlData(kind: kind, name: nil, content: .text(word), place: place)
        }
        guard var content = content(of: file, input) else { return nil }
        if kind == .plain, case .text(let text) = content {
            content = .text(text.removing([.carriageReturn, .lineFeed, 0]))
        }
        return CurlData(kind: kind, name: nil, content: content, place: place)
    }

    /// The data of `--data-urlencode`: `content`, `=content`, `name=content`, `@file` or `name@file`.
    private mutating func encodedData(_ word: ShellWord, _ input: ShellCommand.Input?, at place: Place) -> CurlData? {
        if let (name, content) = word.split(at: UInt8(ascii: "=")) {
            return CurlData(kind: .urlEncoded, name: name.isEmpty ? nil : name, content: .text(content), place: place)
        }
        guard let (name, file) = word.split(at: UInt8(ascii: "@")) else {
            return CurlData(kind: .urlEncoded, name: nil, content: .text(word), place: place)
        }
        guard let content = content(of: file, input) else { return nil }
        return CurlData(kind: .urlEncoded, name: name.isEmpty ? nil : name, content: content, place: place)
    }

    private mutating func addQuery(_ word: ShellWord, _ input: ShellCommand.Input?, at place: Place) {
        let piece =
            if let raw = word.removingFirst(.plus) {
                CurlData(kind: .raw, name: nil, content: .text(raw), place: place)
            } else { encodedData(word, input, at: place) }
        if let piece { command.query.append(piece) }
    }

    private mutating func addForm(
        _ word: ShellWord, _ option: CurlOption, _ input: ShellCommand.Input?, at place: Place
    ) {
        var isLiteral = false
        if case .formString = option.effect { isLiteral = true }
        var reader = CurlFormReader(word, isLiteral: isLiteral, at: place)
        let parts = reader.parts()
        problems += reader.problems
        command.form += parts.compactMap { part in
            guard let name = part.content.file, name.text == "-", let content = content(of: name, input) else {
                return part.content.file?.text == "-" ? nil : part
            }
            return part.replacing(content)
        }
    }
}

// MARK: The end

extension CurlCommandBuilder {
    /// The command and all its problems. If one of the problems is an error, the command is nil.
    mutating func finished() -> (CurlCommand?, [Diagnostic]) {
        if urls.isEmpty {
            report(
                .curlURL, "this command has no URL", at: command.place, hint: "add the URL, or copy the whole command")
        }
        checkMethods()
        readDataFiles()
        addNamedHeaders()
        expandUploads()
        for (index, word) in urls.enumerated() {
            let url = hasGlobs ? readGlobs(word) : CurlURL(pieces: [.text(word)], place: word.place)
            command.targets.append(CurlCommand.Target(url: url, upload: index < uploads.count ? uploads[index] : nil))
        }
        let hasErrors = problems.contains { $0.severity == .error }
        return (hasErrors ? nil : command, problems)
    }

    /// Reads the files of data that is encoded or joined with other data. A file that is the whole body stays a file.
    private mutating func readDataFiles() {
        let isWhole = command.data.count == 1 && !command.sendsDataAsQuery
        func read(_ data: CurlData) -> CurlData {
            guard case .file(let name) = data.content, data.kind == .urlEncoded || !isWhole, let path = name.text,
                path != "-", case .success(let file) = files(path),
                let text = String(validating: file.bytes, as: UTF8.self)
            else { return data }
            let word = ShellWord(text, at: name.place)
            let kept = data.kind == .plain ? word.removing([.carriageReturn, .lineFeed, 0]) : word
            return CurlData(kind: data.kind, name: data.name, content: .text(kept), place: data.place)
        }
        command.data = command.data.map(read)
        command.query = command.query.map(read)
    }

    /// Sends each file of a pattern such as `{a,b}` to the URL of the pattern.
    private mutating func expandUploads() {
        guard hasGlobs, uploads.count == 1, urls.count == 1, case .file(let word) = uploads[0] else { return }
        var reader = CurlGlobReader(word)
        let names = CurlURL(pieces: reader.pieces(), place: word.place).words(atMost: Self.mostUploads)
        guard reader.problems.isEmpty, names.count != 1 else { return }
        if names.isEmpty {
            return report(.curlURL, "a pattern stands for more than \(Self.mostUploads) files", at: word.place)
        }
        uploads = names.map { .file($0) }
        urls = Array(repeating: urls[0], count: names.count)
    }

    private static let mostUploads = 100

    private mutating func readGlobs(_ word: ShellWord) -> CurlURL {
        var reader = CurlGlobReader(word)
        let pieces = reader.pieces()
        problems += reader.problems
        return CurlURL(pieces: pieces, place: word.place)
    }

    /// Reports options that ask for different methods, because curl refuses them.
    private mutating func checkMethods() {
        let isForm = !command.form.isEmpty
        let isData = !command.data.isEmpty && !command.sendsDataAsQuery
        guard let place = isForm ? command.form.last?.place : command.data.last?.place else { return }
        if isForm, !command.data.isEmpty || command.isHead || command.sendsDataAsQuery {
            report(
                .curlConflict, "a form (-F) cannot be used together with -d, -G or -I", at: place,
                hint: "remove one of these options; curl also rejects them together")
        } else if isData, command.isHead {
            report(
                .curlConflict, "-I cannot be used together with a body", at: place,
                hint: "remove -I, or add -G to send the data as the query")
        } else if isData, !uploads.isEmpty {
            report(
                .curlConflict, "curl sends the file of -T and leaves out the data of -d", at: place,
                hint: "remove -T or -d",
                severity: .warning)
            command.data = []
        }
    }

    private mutating func addNamedHeaders() {
        let hasBody = !uploads.isEmpty || !command.form.isEmpty || !command.data.isEmpty && !command.sendsDataAsQuery
        if hasBody, let range = namedHeaders.first(where: { $0.name.text == "Range" }) {
            // curl writes the range of a body into Content-Range.
            namedHeaders.removeAll { $0.name.text == "Range" }
            addUnsupported("-r with a body", nil, nil, range.place)
        }
        if let first = cookies.first {
            let others = cookies.dropFirst().flatMap { [ShellWord.Part(.text(";"), at: $0.place)] + $0.parts }
            addNamedHeader("Cookie", ShellWord(first.parts + others, at: first.place), at: first.place)
        }
        let present = Set(command.headers.compactMap { $0.name.text?.lowercased() })
        command.headers += namedHeaders.filter { !present.contains($0.name.text?.lowercased() ?? "") }
    }
}
