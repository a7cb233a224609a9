import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes a collection, and its environments.
struct PostmanWriter {
    private let source: ExportSource
    private var writer: TemplateWriter

    init(_ requests: ExportedRequests) {
        source = requests.source
        writer = TemplateWriter(requests, .postman)
    }

    var notes: [ConversionNote] { writer.allNotes }

    mutating func collection() -> OrderedJSON {
        var items: [OrderedJSON] = []
        var folders: [(group: String, items: [OrderedJSON])] = []
        for (id, request) in writer.entries {
            let group = id.lastIndex(of: ".").map { String(id[..<$0]) }
            let item = item(request, name: String(id.dropFirst(group.map { $0.count + 1 } ?? 0)))
            guard let group else {
                items.append(item)
                continue
            }
            if let index = folders.firstIndex(where: { $0.group == group }) {
                folders[index].items.append(item)
            } else {
                folders.append((group, [item]))
            }
        }
        let variables = writer.names.parameters.map { variable in
            OrderedJSON.object([
                "key": .string(variable.name), "value": .string(variable.sample ?? ""),
            ])
        }
        return .object([
            "info": .object([
                "name": .string(source.title),
                "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
            ]),
            "item": .array(
                folders.map { .object(["name": .string($0.group), "item": .array($0.items)]) } + items),
            "variable": variables.isEmpty ? nil : .array(variables),
            // By default, Postman follows redirects.
            "protocolProfileBehavior": .object(["followRedirects": false]),
        ])
    }

    func environments() -> [(name: String, file: OrderedJSON)] {
        writer.sheets.all.map { chain, variables in
            (
                chain.name,
                .object([
                    "name": .string(chain.name),
                    "values": .array(
                        variables.map { name, value in
                            .object([
                                "key": .string(name), "value": .string(value ?? ""),
                                "type": value == nil ? "secret" : "default", "enabled": true,
                            ])
                        }),
                    "_postman_variable_scope": "environment",
                ])
            )
        }
    }

    private mutating func item(_ request: OpenRequest, name: String) -> OrderedJSON {
        let call = writer.call(request, writesUnsent: true)
        let (responses, others) = StubReader(request.endpoint, source.workspace).responses()
        writer.notes += others.map {
            request.note(.lost, "\($0.reason) is not converted", at: $0.place)
        }
        if case .aws(let signature, _) = call.credentials, !signature.signsPayload {
            let message = "\"payload\": \"unsigned\" is not converted, so Postman signs the body, too"
            writer.notes.append(request.note(.approximated, message))
        }
        writer.noteNeeds(of: request)
        writer.noteParts(of: request, typesOfTexts: true)
        let wire = self.request(call)
        let script = writer.script(for: request, .postman)
        return .object([
            "name": .string(name),
            "protocolProfileBehavior": behavior(request),
            "event": script.isEmpty
                ? nil
                : [
                    .object([
                        "listen": "test",
                        "script": .object([
                            "type": "text/javascript", "exec": .array(script.map { .string($0) }),
                        ]),
                    ])
                ],
            "request": wire,
            "response": .array(responses.map { saved($0, wire) }),
        ])
    }

    /// The settings with which the request is sent; nil if they are equal to the settings of the collection.
    private func behavior(_ request: OpenRequest) -> OrderedJSON? {
        let redirects = request.request.transfer.redirects
        guard redirects.isFollowing else { return nil }
        return .object([
            "followRedirects": true,
            "maxRedirects": redirects.maximum == RedirectPolicy().maximum ? nil : .int(redirects.maximum),
            "followAuthorizationHeader": redirects.credentials == .anyHost ? true : nil,
        ])
    }

    // MARK: Requests

    private func request(_ call: TemplateCall) -> OrderedJSON {
        var sent = call.query
        // Credentials are written as `auth`.
        if case .key(true, let name, _) = call.credentials {
            sent.removeAll { PercentEncoding.decoded($0.name) == name }
        }
        let query =
            sent.map { item in
                OrderedJSON.object(["key": .string(item.name), "value": item.isBare ? .null : .string(item.value)])
            }
            + call.unsent.map { .object(["key": .string($0.name), "value": .string($0.value), "disabled": true]) }
        let (host, path) = parts(of: call.address)
        return .object([
            "method": .string(call.method),
            "header": .array(
                (call.headers + [call.contentType].compactMap(\.self)).map {
                    .object(["key": .string($0.name), "value": .string($0.value)])
                }),
            "auth": auth(call.credentials),
            "body": body(call.body),
            "url": .object([
                "raw": .string(call.url(with: sent)), "protocol": host.scheme.map { .string($0) },
                "host": .array([.string(host.name)]), "port": host.port.map { .string($0) },
                "path": path.isEmpty ? nil : .array(path.map { .string($0) }),
                "query": query.isEmpty ? nil : .array(query),
            ]),
            "description": call.request.summary.map { .string($0) },
        ])
    }

    /// The scheme, host and port of an address, and the segments of its path.
    private func parts(of address: String) -> ((scheme: String?, name: String, port: String?), [String]) {
        let mark = address.firstRange(of: "://")
        let rest = mark.map { address[$0.upperBound...] } ?? address[...]
        let segments = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let authority = segments.first ?? ""
        let colon = authority.lastIndex(of: ":").flatMap { index in
            let port = authority[authority.index(after: index)...]
            return port.allSatisfy(\.isNumber) || port.hasPrefix("{{") ? index : nil
        }
        let name = colon.map { String(authority[..<$0]) } ?? authority
        let port = colon.map { String(authority[authority.index(after: $0)...]) }
        return ((mark.map { String(address[..<$0.lowerBound]) }, name, port), Array(segments.dropFirst()))
    }

    private func auth(_ credentials: TemplateCall.Credentials) -> OrderedJSON? {
        func pairs(_ type: String, _ values: [(String, String)], _ parameters: [OrderedJSON] = []) -> OrderedJSON {
            let others: [OrderedJSON] =
                parameters.isEmpty
                ? [] : [.object(["key": "tokenRequestParams", "value": .array(parameters), "type": "any"])]
            return .object([
                .init("type", .string(type)),
                .init(
                    type,
                    .array(
                        values.map {
                            .object(["key": .string($0.0), "value": .string($0.1), "type": "string"])
                        } + others)),
            ])
        }
        switch credentials {
        case .none: return nil
        case .bearer(let token): return pairs("bearer", [("token", token)])
        case .basic(let user, let password): return pairs("basic", [("username", user), ("password", password)])
        case .digest(let user, let password): return pairs("digest", [("username", user), ("password", password)])
        case .key(let inQuery, let name, let value):
            return pairs("apikey", [("key", name), ("value", value), ("in", inQuery ? "query" : "header")])
        case .aws(let signature, let inQuery):
            return pairs(
                "awsv4",
                [
                    ("service", signature.service), ("region", signature.region), ("accessKey", signature.accessKeyID),
                    ("secretKey", signature.secretAccessKey), ("sessionToken", signature.sessionToken ?? ""),
                    ("addAuthDataToQuery", String(inQuery)),
                ].filter { !$0.1.isEmpty })
        case .oauth2(let client):
            guard case .endpoints(let token, let authorization, _) = client.server else { return nil }
            let isLogin = client.flow == .authorizationCode
            return pairs(
                "oauth2",
                [
                    ("grant_type", isLogin ? "authorization_code_with_pkce" : "client_credentials"),
                    ("accessTokenUrl", token), ("authUrl", authorization ?? ""), ("clientId", client.id),
                    ("clientSecret", client.secret ?? ""),
                    ("client_authentication", client.authentication == .basic ? "header" : "body"),
                    ("scope", client.scopes.joined(separator: " ")), ("redirect_uri", isLogin ? client.redirect : ""),
                    ("addTokenTo", "header"),
                ].filter { !$0.1.isEmpty },
                client.parameters.map { name, value in
                    .object(["key": .string(name), "value": .string(value), "enabled": true, "send_as": "request_body"])
                })
        }
    }

    private func body(_ body: TemplateCall.Body) -> OrderedJSON? {
        switch body {
        case .none: nil
        case .json(let text):
            .object([
                "mode": "raw", "raw": .string(text),
                "options": .object(["raw": .object(["language": "json"])]),
            ])
        case .text(let text): .object(["mode": "raw", "raw": .string(text)])
        case .graphQL(let query, let variables, _):
            .object([
                "mode": "graphql",
                "graphql": .object(["query": .string(query), "variables": variables.map { .string($0) }]),
            ])
        case .form(let fields):
            .object([
                "mode": "urlencoded",
                "urlencoded": .array(
                    fields.map { .object(["key": .string($0.name), "value": .string($0.value), "type": "text"]) }),
            ])
        case .multipart(let parts):
            .object([
                "mode": "formdata",
                "formdata": .array(
                    parts.map { part in
                        .object([
                            "key": .string(part.name), "type": part.file == nil ? "text" : "file",
                            "value": part.text.map { .string($0) }, "src": part.file.map { .string($0) },
                            "contentType": part.contentType.map { .string($0) },
                        ])
                    }),
            ])
        case .file(let path): .object(["mode": "file", "file": .object(["src": .string(path)])])
        case .bytes: .object(["mode": "file", "file": .object(["src": ""])])
        }
    }

    private func saved(_ response: StubReader.Response, _ request: OrderedJSON) -> OrderedJSON {
        let text: String? =
            switch response.body {
            case .none: nil
            case .json(let value): value.pretty
            case .text(let text): text
            }
        return .object([
            "name": .string(response.name), "originalRequest": request, "code": .int(response.status),
            "status": .string(response.name),
            "_postman_previewlanguage": response.contentType?.contains("json") == true ? "json" : "text",
            "header": .array(
                response.headers.map { .object(["key": .string($0.name), "value": .string($0.value)]) }),
            "body": text.map { .string($0) },
        ])
    }
}
