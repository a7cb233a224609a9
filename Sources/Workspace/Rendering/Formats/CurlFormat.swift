import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import RequestBuilding

/// A request as a curl command that sends the same request.
///
/// Options that have no effect on this request are left out. Options that keep curl from adding or changing something are
/// included, unless the command is only an example.
package struct CurlFormat: Sendable {
    package var shell: Shell
    package var isOneLine: Bool
    /// Whether the command sends exactly the request, without the headers that curl adds by itself.
    package var isExact: Bool

    package init(shell: Shell = .sh, isOneLine: Bool = false, isExact: Bool = true) {
        self.shell = shell
        self.isOneLine = isOneLine
        self.isExact = isExact
    }

    package func render(_ input: RenderingInput) -> Rendered {
        var command = CurlCommandLine(input, format: self)
        return command.render()
    }
}

/// A curl command under construction.
struct CurlCommandLine {
    let input: RenderingInput
    let transfer: TransferSettings
    let message: WireMessage
    let format: CurlFormat
    let syntax: any ShellSyntax
    var text: SecretText
    var lines: [String] = []
    var notes: [String] = []
    /// The command before curl that pipes the body to curl, if the body isn't an argument.
    var before: String?
    /// The signature that curl makes.
    private let signature: CurlSignature?
    /// The paths of the files from which the body is read.
    var files: [[ValuePiece]] = []

    init(_ input: RenderingInput, format: CurlFormat) {
        var input = input
        signature = CurlSignature(input, for: format)
        if let signature { input.request = signature.request }
        self.input = input
        transfer = input.request.transfer
        self.format = format
        message = input.message
        syntax = format.shell.syntax
        text = SecretText(input, in: syntax)
    }

    mutating func render() -> Rendered {
        let body = CurlBody(message.body, for: format)
        addStart(body)
        addHeaders(body)
        addTransfer(body)
        addBody(body)
        let separator = format.isOneLine ? " " : syntax.continuation + "\n  "
        var command = lines.joined(separator: separator)
        if let before { command = before + (format.isOneLine ? " " : "\n") + command }
        let needs = CommandNeeds(secrets: text.expanded, files: files, isFed: before != nil)
        if let guarding = syntax.guarding(needs) {
            command = guarding + (format.isOneLine ? " " : "\n") + command
        }
        return Rendered(command, notes: notes + text.notes)
    }

    // MARK: Words

    /// A value as one word of the command. Secrets in the value are read by the shell, or masked.
    mutating func word(_ value: String) -> String {
        if let caveat = syntax.caveat(aboutArgument: value), !notes.contains(caveat) { notes.append(caveat) }
        return syntax.word(text.pieces(of: value))
    }

    mutating func add(_ option: String, _ value: String) {
        lines.append("\(option) \(word(value))")
    }

    // MARK: Method and URL

    private mutating func addStart(_ body: CurlBody) {
        let url = input.request.url.absoluteString.prefix { $0 != "#" }
        // `-q`: a .curlrc could change the request, so curl must not read it.
        var start = "\(syntax.curl) -q -sS"
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { start += " -g" }
        if hasDotSegment { start += " --path-as-is" }
        switch transfer.version {
        case nil: break
        case .http10: start += " --http1.0"
        case .http11: start += " --http1.1"
        case .http2: start += " --http2-prior-knowledge"
        }
        start += methodOption(body)
        lines.append("\(start) \(word(String(url)))")
    }

    /// The `-X` or `-I` option; empty if curl infers the method from the rest.
    private mutating func methodOption(_ body: CurlBody) -> String {
        switch (message.method, body.isSent) {
        case ("GET", false), ("POST", true): return ""
        case ("HEAD", false): return " -I"
        case ("HEAD", true):
            notes.append("curl waits for a body in the response to HEAD when the request has one; -m limits the wait")
        default: break
        }
        return " -X \(word(message.method))"
    }

    /// Whether the path has a `.` or `..` segment, which curl would remove. Newer versions of curl also remove percent-encoded
    /// dot segments.
    private var hasDotSegment: Bool {
        let path = message.target.prefix { $0 != "?" }
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return false }
        return path.split(separator: "/").contains { segment in
            let plain = segment.replacing("%2E", with: ".")
            return plain == "." || plain == ".."
        }
    }

    // MARK: Headers

    private mutating func addHeaders(_ body: CurlBody) {
        let isFromNetrc = transfer.netrc != nil
        let credentials = isFromNetrc ? nil : basicCredentials
        for field in message.headers where !isNatural(field, body) {
            if isFromNetrc || credentials != nil, field.name.isSameHeader(as: "Authorization") { continue }
            add("-H", field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if let credentials { add("-u", credentials) }
        if let signature {
            add("--aws-sigv4", signature.provider)
            add("-u", signature.account)
        }
        addNetrc()
        guard format.isExact else { return }
        // The headers that curl adds by itself, but reqcli doesn't.
        var unwanted: [String] = []
        for name in ["User-Agent", "Accept"] where message.headers[name] == nil { unwanted.append(name) }
        if body.isSent, message.headers["Content-Type"] == nil, !body.setsContentType {
            unwanted.append("Content-Type")
        }
        if body.isSent, message.headers["Expect"] == nil, mayExpectContinue { unwanted.append("Expect") }
        lines += unwanted.map { "-H '\($0):'" }
    }

    private mutating func addNetrc() {
        switch transfer.netrc {
        case nil: return
        case .home: lines.append("--netrc")
        case .file(let path): add("--netrc-file", path)
        }
        if transfer.redirects.isFollowing {
            notes.append("curl also looks up the hosts of redirects in the netrc file; \"reqcli send\" doesn't")
        }
    }

    private mutating func addCookieJar() {
        guard let jar = input.cookieJar else { return }
        let path = jar.path
        if path.utf8.contains(UInt8(ascii: "=")) {
            notes.append(
                "curl takes the name \(path) for a cookie because of its \"=\", so the cookies in that file are not sent"
            )
        } else {
            add("-b", path)
        }
        if jar.isSaved { add("-c", path) }
        if input.request.headers["Host"] != nil {
            notes.append(
                "curl sends the cookies for the host in the Host header; \"reqcli send\" sends those for the host in the URL"
            )
        }
        // The limit was measured with curl 7.88. curl counts a few bytes more than it sends.
        let isTooLong = jar.cookies.reduce(0) { $0 + $1.utf8.count + 2 } > 8000
        if jar.cookies.count > 150 || isTooLong {
            notes.append(
                "curl sends at most 150 cookies and 8 KiB of cookies; \"reqcli send\" sends all \(jar.cookies.count)")
        }
        if message.headers["Cookie"] != nil {
            notes.append("curl sends the cookies of \(path) in a separate Cookie header")
        }
    }

    /// Whether curl sends this header by itself.
    private func isNatural(_ field: HeaderFields.Field, _ body: CurlBody) -> Bool {
        switch field.name {
        case "Host": return input.request.headers["Host"] == nil
        case "Accept": return field.value == "*/*" && message.headers.values("Accept").count == 1
        // The option --compressed makes curl send this header.
        case "Accept-Encoding": return input.request.asksForCompression
        case "Content-Length": return input.request.headers["Content-Length"] == nil
        case "Content-Type":
            return body.setsContentType
                || (body.isSent && field.value == "application/x-www-form-urlencoded"
                    && message.headers.values("Content-Type").count == 1)
        default: return false
        }
    }

    /// Whether curl may send `Expect: 100-continue`. curl sends this header for bodies above 1 MiB. The limit is lower here,
    /// because a file's size may change.
    private var mayExpectContinue: Bool {
        message.contentLength.map { $0 > 1_000_000 } ?? true
    }

    /// `user:password` if the password is a secret. The shell can insert a secret into `-u`, but not into the base64 of the
    /// header.
    private var basicCredentials: String? {
        let values = message.headers.values("Authorization")
        guard values.count == 1, let value = values.first, value.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(value.dropFirst(6))), let plain = String(data: data, encoding: .utf8),
            plain.utf8.contains(UInt8(ascii: ":")), !plain.utf8.contains(0),
            "Basic " + data.base64EncodedString() == value, text.holdsRawSecret(plain)
        else { return nil }
        return plain
    }

    // MARK: Transfer

    private mutating func add(_ rows: [TransferRow]) {
        for (option, value) in rows.flatMap({ $0.curlOptions(transfer) }) {
            if let value { add(option, value) } else { lines.append(option) }
        }
    }

    private mutating func addTransfer(_ body: CurlBody) {
        addCookieJar()
        add(TransferRow.connection)
        addProxy(transfer.proxies)
        if transfer.redirects.isFollowing {
            let follow = transfer.redirects.credentials == .anyHost ? "--location-trusted" : "-L"
            lines.append("\(follow) --max-redirs \(transfer.redirects.maximum)")
            addRepeats(body)
            noteRedirects(body)
        }
        add(TransferRow.transfer)
        if transfer.timeouts.total == nil, message.method == "HEAD", body.isSent { lines.append("-m 60") }
        if transfer.timeouts.firstByte != nil {
            notes.append("curl has no time limit for the first byte of the response")
        }
        if let account = transfer.challengeAccount { addChallengeAccount(account, transfer.answersBasic) }
        if let times = transfer.retry.times, times > 0 {
            notes.append("\"reqcli send\" retries up to \(times) times; this command doesn't")
        }
        if input.request.asksForCompression { lines.append("--compressed") }
    }

    /// Adds the proxy options. A proxy from the usual environment variables is left out, because curl reads these variables
    /// itself.
    private mutating func addProxy(_ settings: ProxySettings) {
        let isSecure = input.request.url.scheme?.lowercased() == "https"
        let proxy = isSecure ? settings.https : settings.http
        if let proxy { add("-x", proxy) }
        if let exceptions = settings.exceptions { add("--noproxy", exceptions) }
        if proxy?.isEmpty == true { return }
        if let account = settings.account {
            if account.user.contains(":") {
                notes.append("curl doesn't support a user name with a colon, so the proxy's account is left out")
            } else {
                add("-U", "\(account.user):\(account.password)")
            }
        }
        if settings.usesDigest { lines.append("--proxy-digest") }
        if settings.isTunnel { lines.append("--proxytunnel") }
        for field in settings.headers {
            add("--proxy-header", field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Without `--proxy-header 'User-Agent:'`, curl would send its own User-Agent to the proxy of a tunnel.
        let isHTTP = proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false
        let isTunnel = isHTTP && (isSecure || settings.isTunnel || !transfer.detours.isEmpty)
        if isTunnel, settings.headers["User-Agent"] == nil { lines.append("--proxy-header 'User-Agent:'") }
    }

    private mutating func addChallengeAccount(_ account: Account, _ answersBasic: Bool) {
        guard !account.user.contains(":") else {
            notes.append("curl doesn't support a user name with a colon, so Digest authentication is left out")
            return
        }
        // With `--anyauth`, curl would also answer NTLM and Negotiate challenges.
        lines.append(answersBasic ? "--basic --digest" : "--digest")
        notes.append("curl answers the first of several Digest challenges; \"reqcli send\" answers the strongest one")
        add("-u", "\(account.user):\(account.password)")
    }

    /// Makes curl send the body again after a redirect, as `send` does. curl treats every request with a body as a POST, and
    /// drops the body after 301, 302 and 303.
    private mutating func addRepeats(_ body: CurlBody) {
        guard body.isSent, message.method != "POST" else { return }
        lines.append("--post301 --post302" + (message.method == "HEAD" ? " --post303" : ""))
    }

    /// Adds notes about redirects that `send` and curl handle differently, if no option of curl changes this.
    private mutating func noteRedirects(_ body: CurlBody) {
        if hasDotSegment { notes.append("curl also keeps the dot segments of a Location (--path-as-is)") }
        let types = message.headers.filter { $0.name.isSameHeader(as: "Content-Type") && !isNatural($0, body) }
        switch (message.method, body.isSent) {
        case ("HEAD", _), ("GET", false): break
        case ("GET", true):
            if !types.isEmpty { notes.append("curl keeps the Content-Type when a 303 removes the body of this GET") }
        case ("POST", true):
            if !types.isEmpty { notes.append("curl keeps the Content-Type when a redirect turns this POST into a GET") }
        case ("POST", false): notes.append("curl keeps the method POST for every redirect (-X)")
        case (let method, let hasBody):
            notes.append("curl keeps the method \(method) for a 303 (-X)" + (hasBody ? ", without the body" : ""))
        }
        if transfer.redirects.credentials == .anyHost {
            if transfer.challengeAccount != nil {
                notes.append("curl also answers the Digest challenges of other hosts")
            }
            return
        }
        let secrets = Redactor(input.secrets.map { Redactor.Secret(label: $0.label, value: $0.value) })
        if let body = message.body, body.pieces.contains(where: { secrets.isIn($0) }) {
            notes.append("curl also sends the body, which contains a secret, to other hosts that a redirect leads to")
        }
        // Headers that curl sends only to the original host.
        let kept = ["Authorization", "Cookie", "Host"]
        for field in message.headers where !kept.contains(where: { field.name.isSameHeader(as: $0) }) {
            let isCredential = field.name.isSameHeader(as: "Proxy-Authorization")
            if !isCredential, !secrets.isSecret(in: Array(field.value.utf8)) { continue }
            notes.append("curl also sends \(field.name) to other hosts that a redirect leads to")
        }
    }
}

extension Redactor {
    /// Whether the piece holds a secret. Files are not read.
    fileprivate func isIn(_ piece: RequestBody.Piece) -> Bool {
        if case .data(let data) = piece { isSecret(in: Array(data)) } else { false }
    }
}
