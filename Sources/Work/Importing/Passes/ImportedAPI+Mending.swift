import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

extension ImportedAPI {
    /// Corrects what an endpoint file can't express, and leaves out requests that can't be sent, such as drafts without a URL.
    package mutating func mend(isExact: Bool, _ notes: inout [ConversionNote]) {
        for index in environments.indices { environments[index].removeInvalidServer(&notes) }
        requests = requests.compactMap { request in
            if let problem = request.problem {
                notes.append(ConversionNote(.lost, problem, request.name ?? request.key, at: request.place))
                return nil
            }
            var request = request
            request.mend(isExact: isExact)
            return request
        }
    }
}

extension ImportedEnvironment {
    fileprivate mutating func removeInvalidServer(_ notes: inout [ConversionNote]) {
        guard let base = baseURL.flatMap({ TemplateText($0).literal }), ServerAddress.complaint(about: base) != nil
        else { return }
        baseURL = nil
        notes.append(
            ConversionNote(
                .toDo, "a server has no valid URL: give the environment a \"baseURL\"", base,
                at: nil))
    }
}

extension ImportedRequest {
    fileprivate var problem: String? {
        if let base = base.flatMap({ TemplateText($0).literal }), ServerAddress.complaint(about: base) != nil {
            return "a request without a valid URL is not converted"
        }
        if let scheme = path.firstRange(of: "://"),
            path[..<scheme.lowerBound].utf8.allSatisfy({ $0.isLetter || "+-.".utf8.contains($0) })
        {
            return "a request that doesn't use HTTP is not converted"
        }
        return nil
    }

    fileprivate mutating func mend(isExact: Bool) {
        // Some tools accept methods in lower case and send them in upper case.
        let capitals = method.uppercased()
        if HTTPMethods.known.contains(capitals) { method = capitals }
        if !isExact { headers.remove("Content-Length") }
        nameMissingCredentials()
    }

    /// Replaces empty credentials by placeholders for secrets, since the request can't be sent with empty credentials.
    private mutating func nameMissingCredentials() {
        switch auth {
        case .bearer(""): auth = .bearer("{{token}}")
        case .account(let kind, "", "") where kind != .any:
            auth = .account(kind, user: "{{user}}", password: "{{password}}")
        case .inherited, .none, .bearer, .account, .apiKey, .other: break
        }
    }
}
