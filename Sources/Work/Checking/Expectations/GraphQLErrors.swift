package import Calling
import Exchange
package import ReqcliJSONPath
import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText
import RequestBuilding

extension ReceivedResponse {
    /// The failure of a GraphQL response that has `errors` or lacks `data`, because servers report such errors with status 200.
    /// Nil if the response has neither fault, or if the expectation has its own condition on `$.errors`.
    ///
    /// - Parameter place: The place of the operation that was sent; nil if the request has none.
    package func graphQLFailure(
        at place: Place?, expecting paths: [JSONPath], redactor: Redactor
    ) -> ExpectationFailure? {
        guard let place, (200...299).contains(status),
            // In the stream of a subscription, each event has its own errors.
            headers["Content-Type"].flatMap(EventFormat.init(contentType:)) == nil,
            !paths.contains(where: { $0.firstName == "errors" }),
            // A response to HEAD has no body to check.
            method != "HEAD"
        else { return nil }
        let judgement = Judgement(response: self, excerpts: Excerpts(redactor))
        let isDataJudged = paths.contains { $0.firstName == "data" && $0.stepCount == 1 }
        return judgement.graphQLFailure(at: place, isJSONExpected: !paths.isEmpty, isDataJudged: isDataJudged)
    }
}

extension Judgement {
    /// The failure of a response to a GraphQL operation.
    ///
    /// - Parameters:
    ///   - isJSONExpected: Whether other conditions already report a body that isn't JSON.
    ///   - isDataJudged: Whether another condition checks `data` as a whole.
    fileprivate func graphQLFailure(
        at place: Place, isJSONExpected: Bool, isDataJudged: Bool
    ) -> ExpectationFailure? {
        let content: [UInt8]
        switch response.content {
        case .success(let bytes): content = bytes
        case .failure(let problem):
            return ExpectationFailure(
                "body", expected: "a GraphQL response", actual: problem.phrase(excerpts), at: place)
        }
        guard let root = JSONDocument.read(SourceFile(name: "body", bytes: content)).validRoot, root.kind == .object
        else {
            if isJSONExpected { return nil }
            return ExpectationFailure("body", expected: "a GraphQL response", actual: excerpts.text(content), at: place)
        }
        // JSON readers disagree about which value counts if a key occurs twice.
        for name in ["errors", "data"] where root.members.count(where: { $0.key.string == name }) > 1 {
            return ExpectationFailure(
                "body", expected: "a GraphQL response", actual: "the key \"\(name)\" more than once", at: place)
        }
        if let errors = root["errors"], !errors.isNull {
            let all = errors.kind == .array ? Array(errors.elements) : [errors]
            if !all.isEmpty {
                return ExpectationFailure("$.errors", expected: "no errors", actual: messages(of: all), at: place)
            }
        }
        if isDataJudged { return nil }
        guard let data = root["data"] else {
            return ExpectationFailure("$.data", expected: "an object", actual: "nothing", at: place)
        }
        if data.kind == .object { return nil }
        return ExpectationFailure("$.data", expected: "an object", actual: excerpts.json(data), at: place)
    }

    /// The messages of at most three errors, and the number of the others.
    private func messages(of all: [JSONValue]) -> Wording {
        let shown = all.prefix(3).map { error in
            error["message"]?.string.map { excerpts.text($0) } ?? excerpts.json(error)
        }
        let rest = all.count - shown.count
        let list = shown.joined(separator: ", ")
        return rest > 0 ? "\(list) and \(rest) more" : list
    }
}
