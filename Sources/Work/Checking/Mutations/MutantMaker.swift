import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText
import RequestBuilding

/// A response with one change that the checks should notice.
package struct Mutant: Sendable {
    /// The kind of a change. The raw values are those of reports.
    package enum Kind: String, CaseIterable, Sendable {
        case status
        case otherStatus = "other status class"
        case header = "header"
        case removed
        case null
        case type
        case number
        case text
        case list
        case added
        case body
        case contentType = "content type"
        case time
    }

    package let kind: Kind
    /// The changed part, with `[*]` for each index: `$.items[*].price`, or `header ETag`.
    package let subject: String
    /// The change: `removed`, or `200 → 201`. It never contains a value of the response.
    package let change: String
    let response: ReceivedResponse
}

/// Makes the mutants of a response, in a fixed order.
struct MutantMaker {
    let response: ReceivedResponse
    /// The places of values that the case ignores, so that they are not changed.
    let ignored: [JSONPath]
    let maxTime: Duration?
    /// Whether the body is a stream, whose events were judged while they arrived.
    let isStream: Bool

    /// Headers about the connection and the moment, which no check can expect.
    private static let transportHeaders: Set<String> = [
        "age", "connection", "content-encoding", "content-length", "date", "keep-alive", "server", "trailer",
        "transfer-encoding", "vary", "via",
    ]

    var mutants: [Mutant] { statuses + headers + times + (isStream ? [] : bodies) }

    // MARK: Head

    private var statuses: [Mutant] {
        let status = response.status
        let near = status % 100 == 99 ? status - 1 : status + 1
        let far = status < 400 ? 500 : 200
        return [(Mutant.Kind.status, near), (.otherStatus, far)].map { kind, other in
            Mutant(
                kind: kind, subject: "status", change: "\(status) → \(other)",
                response: changed(status: other))
        }
    }

    private var headers: [Mutant] {
        var names: [String] = []
        for field in response.headers where !Self.transportHeaders.contains(field.name.lowercased()) {
            if !names.contains(where: { $0.isSameHeader(as: field.name) }) { names.append(field.name) }
        }
        return names.flatMap { name -> [Mutant] in
            var (removed, emptied) = (response.headers, response.headers)
            removed.remove(name)
            emptied.set(name, "")
            return [("removed", removed), ("emptied", emptied)].map { change, headers in
                Mutant(kind: .header, subject: "header \(name)", change: change, response: changed(headers: headers))
            }
        }
    }

    private var times: [Mutant] {
        guard let maxTime else { return [] }
        let longer = max(response.duration, maxTime) * 10
        return [Mutant(kind: .time, subject: "time", change: "ten times as long", response: changed(duration: longer))]
    }

    // MARK: Body

    private var bodies: [Mutant] {
        guard case .success(let bytes) = response.content, !bytes.isEmpty else { return [] }
        func mutant(_ change: String, _ bytes: [UInt8]) -> Mutant {
            Mutant(kind: .body, subject: "body", change: change, response: changed(body: bytes))
        }
        var other = response.headers
        let isText = other["Content-Type"]?.lowercased().hasPrefix("text/plain") == true
        other.set("Content-Type", isText ? "application/octet-stream" : "text/plain")
        let whole = [
            mutant("emptied", []), mutant("cut in half", Array(bytes.prefix(bytes.count / 2))),
            Mutant(
                kind: .contentType, subject: "header Content-Type", change: "another type",
                response: changed(headers: other)),
        ]
        guard let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot else {
            return whole + [mutant("changed", bytes.reversed() == bytes ? bytes + bytes : bytes.reversed())]
        }
        var maker = JSONMutants(root: OrderedJSON(root), ignored: ignoredPlaces(in: root))
        maker.visit(maker.root, at: [])
        return whole
            + maker.changes.map { change in
                Mutant(
                    kind: change.kind, subject: change.subject, change: change.words,
                    response: changed(body: Array(change.root.compact.utf8)))
            }
    }

    private func ignoredPlaces(in root: JSONValue) -> Set<String> {
        Set(
            ignored.flatMap { path in
                ((try? path.nodes(in: root)) ?? []).compactMap { $0.normalizedPath(in: root) }
            })
    }

    /// The response with changes. Its codings are removed, because a changed body isn't compressed again.
    private func changed(
        status: Int? = nil, headers: HeaderFields? = nil, body: [UInt8]? = nil, duration: Duration? = nil
    ) -> ReceivedResponse {
        let own = body == nil ? response.body : ReceivedBody(body ?? [], limit: response.body.limit)
        return ReceivedResponse(
            status: status ?? response.status, reason: status == nil ? response.reason : "",
            headers: headers ?? response.headers, body: own, duration: duration ?? response.duration,
            method: response.method, isDecoded: body == nil ? response.isDecoded : true, events: response.events,
            setCookies: response.setCookies, url: response.url, requestURL: response.requestURL)
    }
}
