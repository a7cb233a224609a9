import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Converts the lines of `[Options]` to keys of an endpoint.
struct HurlOptions {
    private let section: HurlSection
    private(set) var notes: [ConversionNote] = []
    private(set) var variables: [OrderedJSON.Member] = []
    private(set) var headers: [HurlPair] = []
    private var isDigest = false
    private var awsScope: String?
    private var settings: [OrderedJSON.Member] = []

    init(_ section: HurlSection) { self.section = section }

    mutating func apply(to request: inout ImportedRequest) {
        for option in section.pairs { read(option, &request) }
        for group in ["timeout.", "redirects.", "retry.", "tls."] {
            request.settings += settings.filter { $0.name.hasPrefix(group) }
        }
    }

    private mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String?, _ option: HurlPair) {
        notes.append(ConversionNote(kind, message, detail, at: option.place))
    }

    private mutating func read(_ option: HurlPair, _ request: inout ImportedRequest) {
        let name = option.name.literal ?? ""
        let text = option.value.literal
        let isTrue = text == "true"
        switch name {
        case "location": if isTrue { settings.set("redirects.follow", true) }
        case "location-trusted":
            if isTrue {
                settings.set("redirects.follow", true)
                settings.set("redirects.credentials", "anyHost")
            }
        case "max-redirs":
            guard let count = text.flatMap({ Int($0) }), (0...100).contains(count) else { return lose(option) }
            settings.set("redirects.max", .int(count))
        case "insecure": if isTrue { settings.set("tls.insecure", true) }
        case "cacert": settings.set("tls.ca", .string(option.value.text))
        case "cert":
            // The password of the file is after a colon.
            let parts = option.value.split(by: .colon, atMost: 2)
            if parts.count > 1 { lose(option) }
            settings.set("tls.cert", .string(parts[0].text))
        case "key": settings.set("tls.key", .string(option.value.text))
        case "retry", "retry-interval", "max-time", "connect-timeout": readNumber(name, option)
        case "user":
            let parts = option.value.split(by: .colon, atMost: 2)
            request.auth = .account(
                parts[0], parts.count > 1 ? parts[1] : TemplateText([]), kind: isDigest ? .digest : .basic)
            signForAWS(&request, option)
        case "digest": isDigest = isTrue
        case "header": headers.append(option.header)
        case "variable": readVariable(option)
        case "aws-sigv4":
            awsScope = option.value.text
            signForAWS(&request, option)
        case "skip":
            if text != "false" {
                note(.lost, "Hurl skips an entry; its endpoint is imported all the same", nil, option)
            }
        case "compressed", "output", "verbose", "very-verbose", "verbosity": break
        case _ where text == "false": break
        default: lose(option)
        }
    }

    private mutating func signForAWS(_ request: inout ImportedRequest, _ option: HurlPair) {
        guard let awsScope, case .account(_, let user, let password) = request.auth else { return }
        let signature = ImportedAuth.aws(curl: awsScope, user: user, password: password, base: request.base)
        if signature == nil { note(.lost, ImportedAuth.otherProvider, nil, option) }
        request.auth = signature ?? .inherited
    }

    private mutating func lose(_ option: HurlPair) {
        note(.lost, "an option is not converted", option.name.literal, option)
    }

    private mutating func readNumber(_ name: String, _ option: HurlPair) {
        guard let text = option.value.literal else { return lose(option) }
        if name == "retry" {
            guard let times = Int(text), times >= -1 else { return lose(option) }
            settings.set("retry.times", .int(times < 0 ? 100 : min(times, 100)))
            note(
                .approximated,
                "Hurl repeats a request until its assertions are met; \"retry\" only looks at the status", nil,
                option)
            return
        }
        guard let time = HurlDuration.milliseconds(text, unit: name == "retry-interval" ? 1 : 1000) else {
            return lose(option)
        }
        switch name {
        case "retry-interval": settings.set("retry.delay", .milliseconds(time))
        case "connect-timeout": settings.set("timeout.connect", .milliseconds(time))
        default: settings.set("timeout.total", .milliseconds(time))
        }
    }

    private mutating func readVariable(_ option: HurlPair) {
        let parts = option.value.split(by: UInt8(ascii: "="), atMost: 2).map(\.trimmed)
        guard parts.count == 2, let name = parts[0].literal, let value = parts[1].literal else { return lose(option) }
        let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        variables.append(
            OrderedJSON.Member(
                ParamNames.clean(name), isQuoted ? .string(String(value.dropFirst().dropLast())) : .typed(value)))
    }
}

extension HurlPair {
    /// The header of an option: `header: X-A: 1`.
    var header: HurlPair {
        let parts = value.split(by: .colon, atMost: 2).map(\.trimmed)
        return HurlPair(name: parts[0], value: parts.count > 1 ? parts[1] : TemplateText([]), place: place)
    }
}
