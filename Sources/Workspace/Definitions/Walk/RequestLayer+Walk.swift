import ReqcliText

extension RequestLayer: Walkable {
    package func walk(_ visit: (Mention) -> Void) { walk(unlessSaidBy: RequestLayer(), visit) }

    /// Visits the properties that a later layer doesn't override.
    ///
    /// - Parameter hasBody: Whether the later layer has a body, which may set the content type.
    func walk(unlessSaidBy later: RequestLayer, hasBody: Bool = false, _ visit: (Mention) -> Void) {
        if later.baseURL == nil {
            let isRebuilt = later.scheme != nil && later.host != nil && later.port != nil && later.basePath != nil
            if !isRebuilt { baseURL?.set?.walk(visit) }
            if later.host == nil { host?.set?.walk(visit) }
            if later.port == nil { port?.set?.walk(visit) }
            if later.basePath == nil { basePath?.set?.walk(visit) }
        }
        let laterHeaders = Set(later.headers.map { $0.name.lowercased() } + (hasBody ? ["content-type"] : []))
        for header in headers where !laterHeaders.contains(header.name.lowercased()) { header.value.set?.walk(visit) }
        let laterQuery = Set((later.query?.set?.items ?? []).map(\.name))
        if later.query?.replacesQuery != true { query?.set?.walk(unlessSaidBy: laterQuery, visit) }
        if later.auth == nil, let auth = auth?.set, !auth.credentials.isCarried(in: laterHeaders, laterQuery) {
            auth.credentials.values.walk(visit)
        }
        if later.proxy == nil { proxy?.set?.walk(visit) }
        if later.noProxy == nil { noProxy?.set?.walk(visit) }
        for path in standingTLS(unlessSaidBy: later) { path.walkFile(visit) }
    }

    private func standingTLS(unlessSaidBy later: RequestLayer) -> [TextTemplate] {
        guard let tls = tls?.set else { return [] }
        guard let setting = later.tls else { return tls.texts }
        // `null` removes all files of earlier layers.
        return setting.set.map { tls.texts(unlessSaidBy: $0) } ?? []
    }
}

extension QueryTemplate {
    /// Visits the items, except items with these names.
    fileprivate func walk(unlessSaidBy later: Set<String>, _ visit: (Mention) -> Void) {
        switch self {
        case .text(let template): template.walk(visit)
        case .items(let items):
            for item in items where !later.contains(item.name) { item.value.set?.walk(visit) }
        }
    }
}

extension ProxyTemplate {
    fileprivate func walk(_ visit: (Mention) -> Void) {
        url.walk(visit)
        user?.walk(visit)
        password?.walk(visit)
    }
}

extension EndpointLayer: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        path?.set?.walk(visit)
        layer.walk(visit)
        body?.set?.walk(visit)
        expectation?.set?.walk(visit)
    }
}

extension Body: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if let schema { visit(.schema(schema)) }
        switch content {
        case .json(let value): value.walk(visit)
        case .text(let text): text.walk(visit)
        case .file(let path): path.walkFile(visit)
        case .form(let fields): for field in fields { field.value.set?.walk(visit) }
        case .multipart(let parts):
            for part in parts.map(\.value) {
                part.source?.walk(visit)
                part.fileName?.walk(visit)
                part.contentType?.walk(visit)
            }
        case .base64: break
        case .graphQL(let operation):
            operation.document?.walk(visit)
            operation.variables?.walk(visit)
            operation.operationName?.walk(visit)
        }
    }
}

extension Body.Source {
    fileprivate func walk(_ visit: (Mention) -> Void) {
        switch self {
        case .value(let value): value.walk(visit)
        case .file(let path): path.walkFile(visit)
        }
    }
}
