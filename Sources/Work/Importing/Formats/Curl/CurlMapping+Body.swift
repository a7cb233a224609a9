import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension CurlMapping {
    mutating func addBody(of target: CurlCommand.Target, to request: inout ImportedRequest) {
        if let upload = target.upload {
            request.body = body(of: upload)
            // curl sends no Content-Type for an uploaded file unless the user sets the header.
            request.headers.add("Content-Type", .null)
        } else if !command.form.isEmpty {
            addForm(to: &request)
        } else if !command.data.isEmpty, !command.sendsDataAsQuery {
            addData(to: &request)
        }
    }

    /// A body that is one file, or the content of standard input.
    private mutating func body(of content: CurlContent) -> ImportedBody {
        switch content {
        case .text(let word): .text(word.template.text)
        case .file(let word): .file(path(of: word, param: "file"))
        }
    }

    /// The path of a file. A param gives the path in place of standard input.
    private mutating func path(of word: ShellWord, param name: String) -> String {
        if word.text != "-" { return word.template.text }
        let name = names.take(name)
        params.append(ImportedParam(name, .file))
        return "{{\(name)}}"
    }

    // MARK: Data

    private mutating func addData(to request: inout ImportedRequest) {
        let type = request.headers.text("Content-Type")
        if command.data.count == 1, case .file(let file) = command.data[0].content, command.data[0].kind != .urlEncoded
        {
            let data = command.data[0]
            request.body = body(of: data.content)
            if data.kind == .plain {
                note(
                    .approximated, "curl -d removes the line breaks of a file; the endpoint sends them",
                    file.description, at: data.place)
            }
            addFormType(to: &request)
            return
        }
        guard let text = dataText() else { return }
        let kind = MediaType(type ?? Self.formType)
        let isUntyped = type == nil && !request.headers.contains("Content-Type")
        if !isExact, kind.isJSON || isUntyped,
            let json = TemplateJSON(text),
            json.bareNames.isEmpty, json.value.isContainer
        {
            request.body = .json(json.value)
            if isUntyped { addFormType(to: &request) }
            if type == "application/json" { request.headers.remove("Content-Type") }
        } else if kind.isForm, isUntyped || type != nil, let fields = FormText.fields(text, isExact: isExact) {
            request.body = .form(fields)
            if type == Self.formType { request.headers.remove("Content-Type") }
        } else {
            request.body = .text(text.text)
            addFormType(to: &request)
        }
    }

    private static let formType = "application/x-www-form-urlencoded"

    /// Adds the type of a form, which curl sends for all data, unless the user sets or removes the header.
    private func addFormType(to request: inout ImportedRequest) {
        if request.headers.contains("Content-Type") { return }
        request.headers.append(OrderedJSON.Member("Content-Type", .string(Self.formType)))
    }

    /// All data as one text, joined as curl joins them. If there is a file among the data, returns nil and adds a note.
    mutating func dataText() -> TemplateText? {
        var text = TemplateText([])
        for (index, data) in command.data.enumerated() {
            guard let piece = encoded(data) else { return nil }
            if index > 0 { text.append(.literal(data.separator)) }
            text.append(contentsOf: piece)
        }
        return text
    }

    /// One piece of data as it is sent. For a file, returns nil and adds a note.
    mutating func encoded(_ data: CurlData) -> TemplateText? {
        guard case .text(let word) = data.content else {
            note(.toDo, "a file among other data is not converted", at: data.place)
            return nil
        }
        guard data.kind == .urlEncoded else { return word.template }
        let value = word.template.mappingLiterals { PercentEncoding.queryComponent($0).replacing("%20", with: "+") }
        guard let name = data.name?.template else { return value }
        return [name, value].joined(by: "=")
    }

    // MARK: Forms

    private mutating func addForm(to request: inout ImportedRequest) {
        var parts: [(name: String, value: OrderedJSON)] = []
        for part in command.form {
            guard let name = part.name.text else {
                note(
                    .toDo, "the name of a part is a shell variable: the part is left out", part.name.description,
                    at: part.place)
                continue
            }
            var (text, file): (OrderedJSON?, String?)
            switch part.content {
            case .text(let word): text = .string(word.template.text)
            case .upload(let word): file = path(of: word, param: name)
            case .contentOfFile(let word):
                file = word.template.text
                note(
                    .approximated, "the content of a file is sent as a file, together with its name", word.description,
                    at: part.place)
            }
            if part.encoder != nil || !part.headers.isEmpty {
                note(.lost, "headers and encodings of a part are not converted", name, at: part.place)
            }
            let (filename, type) = (part.filename?.template.text, part.type?.template.text)
            parts.append((name, .part(text: text, file: file, filename: filename, contentType: type)))
        }
        request.body = .multipart(.grouped(parts))
        if let type = request.headers.text("Content-Type"), type.lowercased().hasPrefix("multipart/form-data") {
            request.headers.remove("Content-Type")
            let parameters = type.split(separator: ";").dropFirst().filter {
                !String($0).trimmed.lowercased().hasPrefix("boundary=")
            }
            if !parameters.isEmpty {
                note(.lost, "only the boundary follows the type of a form", type, at: command.place)
            }
        }
    }

    // MARK: Settings

    mutating func addSettings(to request: inout ImportedRequest) {
        func set(_ name: String, _ value: OrderedJSON?) {
            if let value { request.settings.set(name, value) }
        }
        set("timeout.connect", command.connectTimeout.map { Self.duration($0.value) })
        set("timeout.total", command.timeout.map { Self.duration($0.value) })
        if command.followsRedirects?.value == true {
            let most = command.maxRedirects?.value
            set("redirects.follow", true)
            set("redirects.max", .int(most.flatMap { (0...100).contains($0) ? $0 : nil } ?? (most == nil ? 50 : 100)))
            set("redirects.credentials", command.trustsRedirects?.value == true ? "anyHost" : nil)
        }
        if let method = command.customMethod, command.followsRedirects?.value == true,
            !["GET", "HEAD"].contains(method.text)
        {
            note(
                .approximated,
                "curl keeps the method of -X after a redirect; reqcli goes on with GET where browsers do",
                at: method.place)
        }
        if let retries = command.retries {
            let isAny = command.retriesAllErrors?.value == true && command.fails
            let isUsual = HTTPMethod.isSafe(request.method) || ["PUT", "DELETE"].contains(request.method)
            set("retry.times", .int(min(max(0, retries.value), 100)))
            set("retry.on", isAny ? "any" : .array([408, 429, 500, 502, 503, 504].map { .int($0) }))
            set("retry.methods", isUsual ? nil : .array([.string(request.method)]))
            set("retry.delay", command.retryDelay.map { Self.duration($0.value) })
            if command.retryMaxTime != nil {
                note(.lost, "--retry-max-time is not converted", at: retries.place)
            }
        }
        // The name of the certificate's file ends at a colon. The password of the file is after the colon.
        let parts = command.certificate?.split(at: UInt8(ascii: ":"))
        if let certificate = command.certificate, parts != nil {
            note(.lost, "the password of a client certificate is not converted", "--cert", at: certificate.place)
        }
        set("tls.ca", command.ca.map { .string($0.template.text) })
        set("tls.cert", (parts?.before ?? command.certificate).map { .string($0.template.text) })
        set("tls.key", command.key.map { .string($0.template.text) })
        set("tls.insecure", command.isInsecure?.value == true ? true : nil)
        set("tls.minVersion", command.minTLSVersion.map { .string($0.value) })
        for setting in command.transferSettings { addSetting(setting, to: &request) }
    }

    /// Adds a setting whose text means the same to curl and to a file.
    private mutating func addSetting(_ setting: CurlCommand.TransferWord, to request: inout ImportedRequest) {
        guard let text = setting.word.template.literal, let row = TransferRow.named(setting.name),
            (try? row.change([text])) != nil, let value = row.value(text)
        else {
            return note(
                .lost, "an option has a value that endpoint files don't support", setting.option, at: setting.word.place
            )
        }
        request.settings.set(setting.name, value)
    }

    private static func duration(_ duration: Duration) -> OrderedJSON {
        let (seconds, fraction) = duration.components
        if fraction == 0 { return .string("\(seconds)s") }
        return .string("\(seconds * 1000 + fraction / 1_000_000_000_000_000)ms")
    }
}

extension OrderedJSON {
    fileprivate var isContainer: Bool {
        switch self {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }
}
