import Exchange
import ReqcliText
import RequestBuilding

/// A call of `send` and its response, as the history stores them. Secrets are left out.
struct HistoryEntry: Sendable {
    /// When the call ended, in seconds since 1970.
    var time: Double
    /// The endpoint's id, or the URL or path of a request without an endpoint.
    let endpoint: String
    /// The environment's name; empty for a call without an environment.
    let environment: String
    let call: KeptCall
    /// The requests, each with the head of its response. The last exchange has the call's response. The exchanges before it are
    /// redirects and earlier attempts.
    let exchanges: [Exchange]
    let timings: Timings?
    /// The beginning of the body, decoded.
    let body: [UInt8]
    /// Whether `body` is the whole body.
    let isWhole: Bool
    var extent = History.Extent.whole

    struct Exchange: Sendable, Equatable {
        let method: String
        let url: String
        let request: ShownRequest
        var response: ShownHead?
    }

    /// The head of the response.
    var head: ShownHead? { exchanges.last?.response }
}

// MARK: - The file

extension HistoryEntry {
    /// The content of the file: a line of JSON, followed by the bytes of the body.
    var file: [UInt8] { Array((json.compact + "\n").utf8) + body }

    private var json: OrderedJSON {
        .object([
            "time": .number(String(time)), "endpoint": .string(endpoint), "environment": .string(environment),
            "target": .array(call.target.map { .string($0) }), "words": .array(call.words.map(\.json)),
            "options": .array(call.options.map(\.json)), "exchanges": .array(exchanges.map(\.json)),
            "timings": timings.map(\.json), "size": .int(body.count), "whole": .bool(isWhole),
            "extent": extent == .whole ? nil : .string("words"),
        ])
    }

    /// Nil for a file that this program has not written.
    init?(file: [UInt8]) {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        guard
            let root = JSONDocument.read(SourceFile(name: "history", bytes: Array(file[..<end]), isSecret: true))
                .validRoot,
            let time = root["time"].flatMap({ Double($0.text) }), abs(time) < 1e12,
            let endpoint = root["endpoint"]?.string, let environment = root["environment"]?.string,
            let target = root["target"].flatMap({ $0.all(\.string) }), !target.isEmpty,
            let words = root["words"].flatMap({ $0.all(KeptCall.Word.init) }),
            let options = root["options"].flatMap({ $0.all(KeptCall.Word.init) }),
            let exchanges = root["exchanges"].flatMap({ $0.all(Exchange.init) }), exchanges.last?.response != nil,
            let size = root["size"].flatMap({ Int($0.text) }), size == file.count - end - 1,
            let isWhole = root["whole"]?.bool
        else { return nil }
        self.init(
            time: time, endpoint: endpoint, environment: environment,
            call: KeptCall(target: target, words: words, options: options), exchanges: exchanges,
            timings: root["timings"].flatMap { Timings($0) }, body: Array(file[(end + 1)...]), isWhole: isWhole,
            extent: root["extent"] == nil ? .whole : .words)
    }
}

extension JSONValue {
    /// The elements of a list, each converted by `read`; nil if `read` returns nil for any element.
    fileprivate func all<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
        guard kind == .array else { return nil }
        let found = elements.map(read)
        return found.contains { $0 == nil } ? nil : found.compactMap(\.self)
    }
}

extension KeptCall.Word {
    fileprivate var json: OrderedJSON { lacksValue ? .object(["before": .string(text)]) : .string(text) }

    fileprivate init?(_ value: JSONValue) {
        if let text = value.string {
            self.init(text: text)
        } else if let text = value["before"]?.string {
            self.init(text: text, lacksValue: true)
        } else {
            return nil
        }
    }
}

extension HistoryEntry.Exchange {
    fileprivate var json: OrderedJSON {
        .object([
            "method": .string(method), "url": .string(url), "target": .string(request.target),
            "headers": request.headers.json, "body": .array(request.body.map { .string($0) }),
            "response": response.map {
                .object([
                    "version": .string($0.version), "status": .int($0.status), "reason": .string($0.reason),
                    "headers": $0.headers.json,
                ])
            },
        ])
    }

    fileprivate init?(_ value: JSONValue) {
        guard let method = value["method"]?.string, let url = value["url"]?.string,
            let target = value["target"]?.string, let headers = value["headers"].flatMap({ HeaderFields($0) }),
            let body = value["body"].flatMap({ $0.all(\.string) })
        else { return nil }
        self.init(
            method: method, url: url,
            request: ShownRequest(method: method, target: target, headers: headers, body: body))
        guard let head = value["response"] else { return }
        guard let version = head["version"]?.string, let status = head["status"].flatMap({ Int($0.text) }),
            let reason = head["reason"]?.string, let headers = head["headers"].flatMap({ HeaderFields($0) })
        else { return nil }
        response = ShownHead(version: version, status: status, reason: reason, headers: headers)
    }
}

extension HeaderFields {
    fileprivate var json: OrderedJSON { .array(map { .array([.string($0.name), .string($0.value)]) }) }

    fileprivate init?(_ value: JSONValue) {
        let fields = value.all { pair in
            pair.all(\.string).flatMap { $0.count == 2 ? Field($0[0], $0[1]) : nil }
        }
        guard let fields else { return nil }
        self.init(fields)
    }
}

extension Timings {
    /// The times in microseconds.
    fileprivate var json: OrderedJSON {
        .array(
            [nameLookup, connect, tls, firstByte, total, queued, sending, sent].map {
                .int(Int(($0.seconds * 1e6).rounded()))
            })
    }

    fileprivate init?(_ value: JSONValue) {
        // Entries of earlier versions have five times.
        guard let all = value.all({ Int($0.text) }), all.count == 5 || all.count == 8 else { return nil }
        let times = (all + [0, 0, 0]).map { Duration.microseconds($0) }
        self.init(
            queued: times[5], nameLookup: times[0], connect: times[1], tls: times[2], sending: times[6], sent: times[7],
            firstByte: times[3], total: times[4])
    }
}
