#if os(Linux)
import CReqcliLibcurl
import Foundation
import RequestBuilding

extension Transfer {
    /// Configures libcurl for the request. Everything that libcurl would do by itself is switched off: no redirects, no
    /// credentials, no proxy variables, no invented headers.
    func configure() {
        set(LC_CURLOPT_NOSIGNAL, 1)
        // A resolver that hangs must not block the engine after its transfer has ended.
        set(LC_CURLOPT_QUICK_EXIT, 1)
        set(LC_CURLOPT_HTTP09_ALLOWED, 0)
        set(LC_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(LC_CURLOPT_PATH_AS_IS, 1)
        set(LC_CURLOPT_URL, plan.target)
        _ = lc_set_pointer(easy, LC_CURLOPT_ERRORBUFFER, errorBuffer)
        lc_close_on_exec(easy, socket)
        configureRequest()
        configureConnection()
        configureTLS()
        configureCallbacks()
    }

    private func configureRequest() {
        switch plan.method {
        case "GET" where plan.upload == nil: break
        case "HEAD" where plan.upload == nil: set(LC_CURLOPT_NOBODY, 1)
        default: set(LC_CURLOPT_CUSTOMREQUEST, plan.method)
        }
        if let upload = plan.upload {
            set(LC_CURLOPT_UPLOAD, 1)
            // Without a size, the body is sent in chunks.
            _ = lc_set_offset(easy, LC_CURLOPT_INFILESIZE_LARGE, upload.size ?? -1)
            let isLarge = upload.feed == nil && (upload.size ?? 0) > 1 << 20
            set(LC_CURLOPT_UPLOAD_BUFFERSIZE, isLarge ? 512 << 10 : 64 << 10)
        }
        _ = lc_set_list(easy, LC_CURLOPT_HTTPHEADER, keep(headerList()))
        set(LC_CURLOPT_BUFFERSIZE, 256 << 10)
        switch plan.settings.version {
        case nil: set(LC_CURLOPT_HTTP_VERSION, LC_CURL_HTTP_VERSION_2TLS)
        case .http10: set(LC_CURLOPT_HTTP_VERSION, LC_CURL_HTTP_VERSION_1_0)
        case .http11: set(LC_CURLOPT_HTTP_VERSION, LC_CURL_HTTP_VERSION_1_1)
        case .http2: set(LC_CURLOPT_HTTP_VERSION, LC_CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
        // libcurl 7.88 can't use an HTTP/2 connection without TLS a second time, because it starts HTTP/2 on the connection again.
        if plan.settings.version == .http2, !plan.isSecure {
            set(LC_CURLOPT_FRESH_CONNECT, 1)
            set(LC_CURLOPT_FORBID_REUSE, 1)
        }
    }

    /// The request's headers, and an empty entry for each header that libcurl must not add.
    private func headerList() -> UnsafeMutablePointer<lc_slist>? {
        var list = list(of: plan.headers)
        if plan.headers["Accept"] == nil { list = lc_slist_append(list, "Accept:") }
        if plan.upload != nil, plan.headers["Expect"] == nil { list = lc_slist_append(list, "Expect:") }
        return list
    }

    private func list(of headers: HeaderFields) -> UnsafeMutablePointer<lc_slist>? {
        var list: UnsafeMutablePointer<lc_slist>?
        var line: [UInt8] = []
        for field in headers {
            line.removeAll(keepingCapacity: true)
            line += field.name.utf8
            line += field.value.isEmpty ? [UInt8(ascii: ";")] : [UInt8(ascii: ":"), UInt8(ascii: " ")]
            if field.isLatin1 { line += field.valueBytes } else { line += field.value.utf8 }
            line.append(0)
            list = line.withUnsafeBytes { bytes in
                bytes.bindMemory(to: CChar.self).baseAddress.flatMap { lc_slist_append(list, $0) }
            }
        }
        return list
    }

    private func configureConnection() {
        let settings = plan.settings
        // libcurl divides its connect limit among a host's addresses, which our own limit can't do. If there is no limit, libcurl
        // gets a long one.
        let connect = settings.timeouts.connect.map { max(1, $0.nanoseconds / 1_000_000) } ?? 86_400_000
        set(LC_CURLOPT_CONNECTTIMEOUT_MS, Int(connect))
        configureProxy(settings.proxies)
        if let path = settings.unixSocket { set(LC_CURLOPT_UNIX_SOCKET_PATH, path) }
        set(LC_CURLOPT_RESOLVE, settings.resolvedHosts)
        set(LC_CURLOPT_CONNECT_TO, settings.detours)
        if !pool.rules.areReused {
            set(LC_CURLOPT_FRESH_CONNECT, 1)
            set(LC_CURLOPT_FORBID_REUSE, 1)
            return
        }
        // With this option, simultaneous requests to one HTTP/2 server wait for a shared connection. Without it, each would open
        // its own.
        if mayUseHTTP2 {
            set(LC_CURLOPT_PIPEWAIT, 1)
        } else if proxy == nil, pool.rules.most == nil, !pool.kept.mayHaveIdle(for: plan.authority) {
            set(LC_CURLOPT_FRESH_CONNECT, 1)
        }
    }

    private func configureProxy(_ settings: ProxySettings) {
        // With an empty string as the proxy, libcurl does not read the environment variables for proxies.
        let isOpen = plan.settings.digestAccountOfProxy(for: plan.url) != nil
        set(LC_CURLOPT_PROXY, (isOpen ? proxyAddress : proxy) ?? "")
        set(LC_CURLOPT_NOPROXY, settings.exceptions ?? "")
        guard proxy != nil else { return }
        if let account = settings.account, !isOpen {
            set(LC_CURLOPT_PROXYUSERNAME, account.user)
            set(LC_CURLOPT_PROXYPASSWORD, account.password)
        }
        // Without a tunnel, libcurl would respond to the challenge by sending the request again. DigestMiddleware does that
        // instead.
        if settings.usesDigest, !isOpen { set(LC_CURLOPT_PROXYAUTH, LC_CURLAUTH_DIGEST) }
        if settings.isTunnel { set(LC_CURLOPT_HTTPPROXYTUNNEL, 1) }
        if !settings.headers.isEmpty { _ = lc_set_list(easy, LC_CURLOPT_PROXYHEADER, keep(list(of: settings.headers))) }
    }

    /// The proxy for this scheme; nil for none. The list of hosts that are reached without a proxy is not considered here.
    var proxy: String? {
        let proxies = plan.settings.proxies
        return (plan.isSecure ? proxies.https : proxies.http).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func configureTLS() {
        guard plan.isSecure || proxy?.lowercased().hasPrefix("https:") == true else { return }
        lc_set_up_tls()
        let tls = plan.settings.tls
        if tls.isInsecure {
            set(LC_CURLOPT_SSL_VERIFYPEER, 0)
            set(LC_CURLOPT_SSL_VERIFYHOST, 0)
        }
        let isNamed = tls.authorities != nil || tls.authoritiesFolder != nil
        if let path = isNamed ? tls.authorities : UsualAuthorities.here.file {
            set(LC_CURLOPT_CAINFO, path)
            set(LC_CURLOPT_PROXY_CAINFO, path)
        }
        if let path = tls.authoritiesFolder {
            set(LC_CURLOPT_CAPATH, path)
            set(LC_CURLOPT_PROXY_CAPATH, path)
        }
        if let path = tls.certificate { set(LC_CURLOPT_SSLCERT, path) }
        if let path = tls.key { set(LC_CURLOPT_SSLKEY, path) }
        // libcurl takes both versions in one number, with the maximum in its upper half.
        let highest = tls.maximumVersion?.number
        let lowest = tls.minimumVersion?.number ?? min(LC_CURL_SSLVERSION_TLSv1_2, highest ?? .max)
        set(LC_CURLOPT_SSLVERSION, lowest | (highest ?? 0) << 16)
    }

    private func configureCallbacks() {
        // The transfer is not retained here, because the engine keeps it as long as its handle is in use.
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = lc_set_pointer(easy, LC_CURLOPT_PRIVATE, context)
        _ = lc_set_pointer(easy, LC_CURLOPT_WRITEDATA, context)
        _ = lc_set_pointer(easy, LC_CURLOPT_HEADERDATA, context)
        _ = lc_set_pointer(easy, LC_CURLOPT_PREREQDATA, context)
        _ = lc_set_write(easy, LC_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let transfer = Transfer.of(context) else { return 0 }
            return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = lc_set_write(easy, LC_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let transfer = Transfer.of(context) else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.receiveHeaderLine(line) ? line.count : 0
        }
        let result = lc_set_prerequest(easy, LC_CURLOPT_PREREQFUNCTION) { context, _, _, _, localPort in
            Int32(
                Transfer.of(context)?.maySendRequest(from: localPort) == true
                    ? LC_CURL_PREREQFUNC_OK : LC_CURL_PREREQFUNC_ABORT)
        }
        // Without this option libcurl could send a request more than once.
        if result != LC_CURLE_OK { failure = error(.libcurlMissing, "it is older than 7.80") }
        if mayUseHTTP2 { configureMessages(context) }
        guard plan.upload != nil else { return }
        _ = lc_set_pointer(easy, LC_CURLOPT_READDATA, context)
        _ = lc_set_pointer(easy, LC_CURLOPT_SEEKDATA, context)
        _ = lc_set_read(easy, LC_CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let transfer = Transfer.of(context) else { return LC_CURL_READFUNC_ABORT }
            return transfer.readBody(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        _ = lc_set_seek(easy, LC_CURLOPT_SEEKFUNCTION) { context, offset, origin in
            guard origin == SEEK_SET, Transfer.of(context)?.rewindBody(to: offset) == true else {
                return Int32(LC_CURL_SEEKFUNC_FAIL)
            }
            return Int32(LC_CURL_SEEKFUNC_OK)
        }
    }

    private var mayUseHTTP2: Bool {
        switch plan.settings.version {
        case nil: plan.isSecure
        case .http10, .http11: false
        case .http2: true
        }
    }

    private func configureMessages(_ context: UnsafeMutableRawPointer) {
        set(LC_CURLOPT_VERBOSE, 1)
        _ = lc_set_pointer(easy, LC_CURLOPT_DEBUGDATA, context)
        _ = lc_set_debug(easy, LC_CURLOPT_DEBUGFUNCTION) { _, kind, text, size, context in
            if kind == LC_CURLINFO_TEXT {
                Transfer.of(context)?.receiveMessage(UnsafeRawBufferPointer(start: text, count: size))
            }
            return 0
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Options

    // A libcurl that is too old for an option rejects the option. The options that matter to the request have existed since 7.40.

    private func set(_ option: Int, _ value: Int) {
        _ = lc_set_long(easy, option, value)
    }

    private func set(_ option: Int, _ entries: [some CustomStringConvertible]) {
        guard !entries.isEmpty else { return }
        var list: UnsafeMutablePointer<lc_slist>?
        for entry in entries { list = lc_slist_append(list, entry.description) }
        _ = lc_set_list(easy, option, keep(list))
    }

    /// Sets an option to a string. `withCString` passes the string's own bytes; without it, Swift would copy the string first.
    private func set(_ option: Int, _ value: String) {
        _ = value.withCString { lc_set_string(easy, option, $0) }
    }
}

extension TLSSettings.Version {
    /// The number of the version in libcurl.
    fileprivate var number: Int {
        switch self {
        case .tls10: LC_CURL_SSLVERSION_TLSv1_0
        case .tls11: LC_CURL_SSLVERSION_TLSv1_1
        case .tls12: LC_CURL_SSLVERSION_TLSv1_2
        case .tls13: LC_CURL_SSLVERSION_TLSv1_3
        }
    }
}
#endif
