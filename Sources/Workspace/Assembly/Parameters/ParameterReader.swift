import ReqcliBasics
package import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText

/// Reads the value of one param from the arguments of a call.
struct ParameterReader {
    let workspace: Workspace
    let world: World
    let redactor: Redactor

    /// The value that all arguments with one name give together. If the param takes a list, each argument is an item of the list.
    func value(of arguments: [ParameterArgument], as parameter: Parameter) throws(Failure) -> OrderedJSON {
        guard let first = arguments.first else { return .null }
        let reading = Reading(name: first.name, parameter: parameter, schemas: workspace.schemas)
        switch first.source {
        case .value(let value):
            return try reading.checked(value, found: parameter.shown(value, masking: redactor.redact))
        // The cell of a table contains the whole list as JSON.
        case .text(let text) where parameter.kind == .list && !first.isTyped:
            let list = try reading.json(text)
            return try reading.checked(list, found: parameter.shown(list, masking: redactor.redact))
        default: break
        }
        guard let items = parameter.items else { return try value(of: first, as: parameter) }
        var elements: [OrderedJSON] = []
        for argument in arguments { elements.append(try value(of: argument, as: items)) }
        return try reading.checked(.array(elements), found: "\(elements.count)")
    }

    private func value(of argument: ParameterArgument, as parameter: Parameter) throws(Failure) -> OrderedJSON {
        var reading = Reading(name: argument.name, parameter: parameter, schemas: workspace.schemas)
        switch argument.source {
        case .value(let value):
            return try reading.checked(value, found: parameter.shown(value, masking: redactor.redact))
        case .text(let text): return try value(of: text, reading)
        case .file(let path):
            let text = try world.text(ofFile: path, for: argument.name)
            if parameter.kind == .file {
                reading.advice = "to use \"\(path)\" itself as the value, write \(argument.name)=\(path)"
            }
            // The line break at the end of a file is usually not part of the value. In a string or in JSON it may be intended, so
            // it is kept.
            let isVerbatim = (parameter.kind == .string || parameter.kind == .json) && !parameter.isSecret
            return try value(of: isVerbatim ? text : String(text.trimmingLineBreaks), reading)
        }
    }

    /// The value of an argument that replaces a capture of another endpoint.
    func captured(_ argument: ParameterArgument) throws(Failure) -> OrderedJSON {
        switch argument.source {
        case .value(let value): value
        case .text(let text): .string(text)
        case .file(let path): .string(String(try world.text(ofFile: path, for: argument.name).trimmingLineBreaks))
        }
    }

    private func value(of text: String, _ reading: Reading) throws(Failure) -> OrderedJSON {
        guard reading.parameter.kind == .file else {
            // After a URL, `page==2` is an item of the query. No value but a string begins with "=", so the same words work here.
            let isText = reading.parameter.kind == .string
            return try reading.converted(
                !isText && text.utf8.first == UInt8(ascii: "=") ? String(text.dropFirst()) : text)
        }
        // The typed path is relative to the current folder. The result is relative to the root, like a path in a definition.
        let path = FilePath.tidy(FilePath.join(workspace.currentFolder, text))
        guard world.files.kind(path) == .file else {
            throw reading.problem("takes the path of an existing file", found: text.quoted)
        }
        return try reading.checked(.string(FilePath.shown(path, from: workspace.root)), found: text.quoted)
    }
}

extension Parameter {
    /// The problem with an argument for this param; nil if the param allows its value.
    package func problem(with argument: ParameterArgument, in workspace: Workspace, _ world: World) -> Failure? {
        let reader = ParameterReader(workspace: workspace, world: world, redactor: Redactor([]))
        do throws(Failure) {
            _ = try reader.value(of: [argument], as: self)
            return nil
        } catch {
            return error
        }
    }

    /// Reads the value of this param from the strings in a request: one string, or one string for each item of a list. No file is
    /// read.
    package func value(
        sentAs texts: [String], named name: String, _ schemas: SchemaStore
    ) throws(Failure) -> OrderedJSON {
        // A fast path for plain integers, because most ids in requests are plain integers. Without this path, `serve` takes 30 %
        // more instructions for a request.
        if kind == .integer, hasNoConditions, let text = texts.first, text.isPlainInteger { return .number(text) }
        guard let items else {
            return try Reading(name: name, parameter: self, schemas: schemas).converted(texts.first ?? "")
        }
        let reading = Reading(name: name, parameter: items, schemas: schemas)
        let parts = separator.map { separator in
            separator.isEmpty
                ? texts
                : texts.flatMap { $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init) }
        }
        var elements: [OrderedJSON] = []
        for text in parts ?? texts { elements.append(try reading.converted(text)) }
        return try value(sentAs: .array(elements), named: name, schemas)
    }

    private var hasNoConditions: Bool {
        allowed == nil && minimum == nil && maximum == nil && pattern == nil && format == nil && schema == nil
    }

    /// Checks the value of this param in a request's JSON. Returns the value if the param allows it.
    package func value(
        sentAs value: OrderedJSON, named name: String, _ schemas: SchemaStore
    ) throws(Failure) -> OrderedJSON {
        try Reading(name: name, parameter: self, schemas: schemas).checked(value, found: shown(value))
    }
}

/// The param whose value is being read.
private struct Reading {
    let name: String
    let parameter: Parameter
    let schemas: SchemaStore
    /// The hint for problems without a more specific hint.
    var advice: String?

    /// Converts a string to the type of the param. For a param that takes a file, the value is the path. A list can't be
    /// converted.
    func converted(_ text: String) throws(Failure) -> OrderedJSON {
        switch parameter.kind {
        case .string, .file: return try checked(.string(text), found: text.quoted)
        case .boolean:
            guard text == "true" || text == "false" else { throw mismatch(text) }
            return try checked(.bool(text == "true"), found: text.quoted)
        case .integer, .number:
            guard JSONNumber(text) != nil else { throw mismatch(text) }
            return try checked(.number(text), found: text.quoted)
        case .json: return try checked(json(text), found: text.quoted)
        case .list: throw mismatch(text)
        }
    }

    func json(_ text: String) throws(Failure) -> OrderedJSON {
        let document = JSONDocument.read(SourceFile(name: name, text: text))
        if let problem = document.problems.first {
            let position = document.file.position(of: problem.range.lowerBound)
            throw mismatch(text, hint: "\(problem.message) (line \(position.line), column \(position.column))")
        }
        return document.root.map { OrderedJSON($0) } ?? .null
    }

    func checked(_ value: OrderedJSON, found: @autoclosure () -> String) throws(Failure) -> OrderedJSON {
        let complaint = parameter.complaint(about: value) ?? parameter.schemaComplaint(about: value, schemas)
        if let complaint { throw problem(complaint, found: found()) }
        return value
    }

    func mismatch(_ text: String, hint: String? = nil) -> Failure {
        problem("takes \(parameter.kind.phrase)", found: text.quoted, hint: hint)
    }

    /// A failure. If the param is secret, the message doesn't contain the value.
    func problem(_ complaint: String, found: String, hint: String? = nil) -> Failure {
        parameter.isSecret
            ? Failure(parameter: "\(own: name) \(own: complaint)")
            : Failure(
                parameter: "\(own: name) \(own: complaint); found \(found)",
                hint: (hint ?? advice).map(Wording.init(quoting:)))
    }
}

extension String {
    /// Whether the text is a whole number without sign, exponent or leading zeros, and fits into 64 bits.
    fileprivate var isPlainInteger: Bool {
        (1...18).contains(utf8.count) && utf8.allSatisfy(\.isDigit) && (utf8.count == 1 || utf8.first != .zero)
    }

    /// The text without the line breaks that editors and programs put at the end.
    var trimmingLineBreaks: Substring {
        var rest = self[...]
        while rest.last?.isNewline == true { rest.removeLast() }
        return rest
    }
}
