package import ReqcliText
package import RequestBuilding

/// Transfer settings of a layer: the keys of one of the objects `timeout`, `redirects`, `retry` and `tls`, or the settings that
/// are keys of the layer itself.
package struct TransferLayer: Sendable {
    package private(set) var entries: [Entry] = []

    package struct Entry: Sendable {
        package let name: String
        package let change: Change
        package let place: Place

        /// The value as text; nil for a removed key and for a file.
        package var value: String? { if case .setting(let change) = change { change.value } else { nil } }
    }

    package enum Change: Sendable {
        case setting(TransferChange)
        /// A file, with its path relative to the workspace's root.
        case file(TransferSetting<String>, TextTemplate)
    }

    /// The paths of all files.
    var texts: [TextTemplate] { texts(unlessSaidBy: TransferLayer()) }

    /// The paths of the files that a later layer doesn't override, key by key.
    func texts(unlessSaidBy later: TransferLayer) -> [TextTemplate] {
        entries.compactMap { entry in
            guard case .file(_, let path) = entry.change, later[entry.name] == nil else { return nil }
            return path
        }
    }

    package subscript(_ name: String) -> Entry? { entries.first { $0.name == name } }

    /// Sets a key to the value in the file. `null` removes the key.
    mutating func set<Value>(_ key: TransferSetting<Value>, _ setting: Setting<Value>) {
        set(key, setting) { $0 }
    }

    fileprivate mutating func set<Value, Written>(
        _ key: TransferSetting<Value>, _ setting: Setting<Written>, as transform: (Written) -> Value
    ) {
        let change = setting.set.map { key.to(transform($0)) } ?? key.removed
        entries.append(Entry(name: key.name, change: .setting(change), place: setting.place))
    }

    fileprivate mutating func setFile(_ key: TransferSetting<String>, _ setting: Setting<TextTemplate>) {
        let change: Change = setting.set.map { .file(key, $0) } ?? .setting(key.removed)
        entries.append(Entry(name: key.name, change: change, place: setting.place))
    }
}

extension Setting<TransferLayer> {
    /// The entries of the setting, in the order of `changes`. If the setting is `null`, the entries are the given changes.
    package func entries(whenNull changes: [TransferChange]) -> [TransferLayer.Entry] {
        guard let layer = self.set else {
            return changes.map { TransferLayer.Entry(name: $0.name, change: .setting($0), place: place) }
        }
        return changes.compactMap { layer[$0.name] }
    }
}

// MARK: - Keys

/// The keys of each object, and the values of all its settings if the whole object is null. `explain` shows them in this order.
extension TransferLayer {
    static let timeouts = ObjectShape<TransferLayer>(
        "timeouts", title: "\"timeout\"", summary: "Time limits for the stages of an exchange; null for no limit.",
        [
            Field("connect", .setting(.bound), "The time until the connection is established, including TLS.") {
                $0.set(.connectTimeout, $1)
            },
            Field(
                "firstByte", .setting(.bound),
                "The time from the last byte of the request to the first byte of the response."
            ) {
                $0.set(.firstByteTimeout, $1)
            },
            Field("idle", .setting(.bound), "The longest time without any data in either direction.") {
                $0.set(.idleTimeout, $1)
            },
            Field("total", .setting(.bound), "The time of the whole exchange, up to the last byte of the body.") {
                $0.set(.totalTimeout, $1)
            },
        ], initial: { _ in TransferLayer() })

    /// The values for `"timeout": null`: the defaults.
    package static let timeoutsWhenNull = [
        TransferSetting.firstByteTimeout.removed, TransferSetting.totalTimeout.removed,
        TransferSetting.connectTimeout.to(Timeouts.standardConnect),
        TransferSetting.idleTimeout.to(Timeouts.standardIdle),
    ]

    static let retry = ObjectShape<TransferLayer>(
        "retry", title: "\"retry\"", summary: "When to send a request again.",
        [
            Field("times", .setting(.integer(RetryPolicy.limits)), "The maximum number of retries.") {
                $0.set(.retryTimes, $1)
            },
            Field(
                "on", .setting(.retryStatuses),
                "Status codes to retry on, or \"any\" for all of 4xx and 5xx; 429, 502, 503 and 504 by default. A request without a response is retried, too."
            ) { $0.set(.retryStatuses, $1) },
            Field(
                "methods", .setting(.list(of: .method, expects: "a list of methods")),
                "Methods that may be retried; the safe and idempotent ones by default."
            ) { $0.set(.retryMethods, $1) { $0.compactMap { try? HTTPMethod($0) } } },
            Field(
                "delay", .setting(.duration),
                "The wait before the first retry; it doubles each time. Retry-After overrides it."
            ) { $0.set(.retryDelay, $1) },
        ], initial: { _ in TransferLayer() })

    package static let retryWhenNull = [
        TransferSetting.retryTimes.removed, TransferSetting.retryStatuses.removed, TransferSetting.retryMethods.removed,
        TransferSetting.retryDelay.removed,
    ]

    static let redirects = ObjectShape<TransferLayer>(
        "redirects", title: "\"redirects\"", summary: "Whether and how to follow redirects.",
        [
            Field("follow", .setting(.boolean), "Whether to follow redirects.") {
                $0.set(.followsRedirects, $1)
            },
            Field(
                "max", .setting(.integer(TransferSettings.redirectLimits)), "The maximum number of redirects in a row."
            ) {
                $0.set(.maximumRedirects, $1)
            },
            Field(
                "credentials", .setting(Shape<RedirectCredentials>.word),
                "Send credentials and bodies with secrets to any host that a redirect names. By default, they are only sent to the original server."
            ) { $0.set(.redirectCredentials, $1) { _ in .anyHost } },
        ], initial: { _ in TransferLayer() })

    package static let redirectsWhenNull = [
        TransferSetting.followsRedirects.removed, TransferSetting.maximumRedirects.removed,
        TransferSetting.redirectCredentials.removed,
    ]

    /// The other origins to which credentials may be sent.
    private enum RedirectCredentials: String, CaseIterable, Sendable {
        case anyHost
    }

    static let tls = ObjectShape<TransferLayer>(
        "tls", title: "\"tls\"",
        summary: "Certificates and versions for https. Paths are relative to the workspace's root.",
        [
            Field("ca", .setting(.filePath), "A file with certificates to trust instead of the system's certificates.")
            {
                $0.setFile(.authorities, $1)
            },
            Field("cert", .setting(.filePath), "A client certificate (PEM).") { $0.setFile(.certificate, $1) },
            Field("key", .setting(.filePath), "The key of the client certificate.") { $0.setFile(.certificateKey, $1) },
            Field("insecure", .setting(.boolean), "Accept any certificate. reqcli warns about this with each request.")
            {
                $0.set(.isInsecure, $1)
            },
            Field("minVersion", .setting(Shape<TLSSettings.Version>.word), "The oldest version of TLS to use.") {
                $0.set(.minimumTLSVersion, $1)
            },
        ], initial: { _ in TransferLayer() })

    package static let tlsWhenNull = [
        TransferSetting.authorities.removed, TransferSetting.certificate.removed,
        TransferSetting.certificateKey.removed, TransferSetting.isInsecure.removed,
        TransferSetting.minimumTLSVersion.removed,
    ]
}

extension Shape where Value == [Int] {
    /// A list of status codes, or the word "any" for all error statuses.
    static let retryStatuses: Shape = {
        let list = Shape.list(of: .status, expects: "a list of status codes, or \"any\"")
        return Shape(expects: list.expects, schema: .either([list.schema, .words(["any"])])) { value, decoding in
            if value.string == "any" { return RetryPolicy.errorStatuses.sorted() }
            return list.decode(value, &decoding)
        }
    }()
}

extension Shape where Value == TransferLayer {
    /// A single duration limits the whole transfer.
    static let timeouts = object(TransferLayer.timeouts, or: .bound, expects: DurationText.example) {
        var layer = TransferLayer()
        layer.set(.totalTimeout, Setting($0, at: $1))
        return layer
    }
}
