import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

extension ImportedAPI {
    /// Mends what an endpoint can't say, and leaves out requests that can go nowhere, such as drafts without a URL.
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
                .toDo, "a server is not a URL that requests can go to: give the environment a \"baseURL\"", base,
                at: nil))
    }
}

extension ImportedRequest {
    fileprivate var problem: String? {
        if let base = base.flatMap({ TemplateText($0).literal }), ServerAddress.complaint(about: base) != nil {
            return "a request without a valid URL is not carried over"
        }
        if let scheme = path.firstRange(of: "://"),
            path[..<scheme.lowerBound].utf8.allSatisfy({ $0.isLetter || "+-.".utf8.contains($0) })
        {
            return "a request of another protocol than HTTP is not carried over"
        }
        return nil
    }

    fileprivate mutating func mend(isExact: Bool) {
        // Some tools take methods in any case, and send them in capitals.
        let capitals = method.uppercased()
        if HTTPMethods.known.contains(capitals) { method = capitals }
        if !isExact { headers.removeAll { $0.name.lowercased() == "content-length" } }
        nameMissingCredentials()
    }

    /// Makes secrets of credentials that the source leaves empty: as they are, the request can't be sent.
    private mutating func nameMissingCredentials() {
        guard case .stated(.object(let members)) = auth, members.count == 1 else { return }
        switch (members[0].name, members[0].value) {
        case ("bearer", .string("")): auth = .stated(AuthJSON.bearer("{{token}}"))
        case ("basic", .object(let account)), ("digest", .object(let account)):
            guard !account.isEmpty, account.allSatisfy({ $0.value == .string("") }) else { return }
            auth = .stated(
                .object([
                    OrderedJSON.Member(
                        members[0].name, .object(account.map { OrderedJSON.Member($0.name, .string("{{\($0.name)}}")) })
                    )
                ]))
        default: return
        }
    }
}
