import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliOpenAPI
import ReqcliRedaction
import ReqcliText

/// The API description that a response has to agree with, ready to be compared.
package struct OpenAPIParts: Sendable {
    let contract: OpenAPIContract
    let expectation: OpenAPIExpectation
    /// The index of the operation that the expectation names; nil to find the operation by the request.
    let named: Int?
    /// The path of the whole body.
    let whole: JSONPath

    /// Whether the API description decides which status is expected. If a flag adds the description, the status that is expected
    /// without the flag still counts.
    var judgesStatus: Bool { !expectation.isAdded }

    /// Checks a request. Throws if the API description has no operation for the request, or has mistakes in this operation.
    ///
    /// - Returns: Warnings about parts of the operation's schemas that have no effect.
    func verify(_ method: String, url: String, redactor: Redactor) throws(Failure) -> [Diagnostic] {
        let path = Self.path(of: url)
        let found = operation(of: method, path, shown: redactor.redact(path))
        guard let operation = found.value else { throw Failure(.broken, found.diagnostics) }
        let problems = contract.problems(with: operation)
        if problems.contains(where: { $0.severity == .error }) { throw Failure(.broken, problems) }
        return problems
    }

    func operation(of response: ReceivedResponse) -> Int? {
        let path = (response.requestURL ?? response.url).map(Self.path) ?? "/"
        return operation(of: response.method, path, shown: path).value
    }

    private func operation(of method: String, _ path: String, shown: String) -> Diagnosed<Int?> {
        if let named { return Diagnosed(named) }
        return expectation.operation(of: method, path, shown: shown, in: contract)
    }

    /// The path of a URL, percent-encoded.
    private static func path(of url: String) -> String {
        var rest = url[...]
        if let authority = rest.firstRange(of: "://") { rest = rest[authority.upperBound...].drop { $0 != "/" } }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path)
    }

    /// The documented response for a status; if several fit, the most specific one.
    func described(_ operation: Int, _ status: Int) -> DescribedResponse? {
        let all = (try? contract.responses(of: operation)) ?? []
        var best: (response: DescribedResponse, precision: Int)?
        for response in all {
            guard let precision = response.precision(for: status) else { continue }
            if best.map({ precision > $0.precision }) ?? true { best = (response, precision) }
        }
        return best?.response
    }

    /// The operation that a response belongs to, with the documented status of the response; nil if there is no such operation.
    func answer(of response: ReceivedResponse) -> OpenAPIAnswer? {
        operation(of: response).map { operation in
            OpenAPIAnswer(contract, operation, status: described(operation, response.status)?.status)
        }
    }
}

/// An operation for which a response was received, and the documented status of the response.
struct OpenAPIAnswer: Sendable, Equatable {
    /// The file name of the OpenAPI description, as messages show it.
    var file: String
    /// The method and the path, such as `GET /orders/{id}`.
    var operation: String
    /// Nil if the description does not document the status.
    var status: String?
    /// The numbers of operations and statuses that the description documents.
    var documented: OpenAPICoverage.Extent
}

extension OpenAPIAnswer {
    init(_ contract: OpenAPIContract, _ index: Int, status: String?) {
        let operation = contract.operations[index]
        self.init(
            file: contract.name, operation: "\(operation.method) \(operation.path)", status: status,
            documented: OpenAPICoverage.Extent(
                operations: contract.operations.count,
                statuses: contract.operations.reduce(0) { $0 + $1.statusCount }))
    }
}

/// The number of documented operations and statuses for which a run has received responses. Reports mention the coverage, but no
/// verdict depends on it.
struct OpenAPICoverage: Sendable {
    struct Extent: Sendable, Equatable {
        let operations: Int
        let statuses: Int
    }

    let name: String
    let answered: Int
    let operations: Int
    let seen: Int
    let documented: Int

    /// The coverage of each description, in the order of their first responses.
    static func of(_ answers: [OpenAPIAnswer]) -> [OpenAPICoverage] {
        var files: [String] = []
        for answer in answers where !files.contains(answer.file) { files.append(answer.file) }
        return files.map { file in
            let own = answers.filter { $0.file == file }
            let statuses = own.compactMap { answer in answer.status.map { "\(answer.operation) \($0)" } }
            return OpenAPICoverage(
                name: file, answered: Set(own.map(\.operation)).count,
                operations: own.first?.documented.operations ?? 0, seen: Set(statuses).count,
                documented: own.first?.documented.statuses ?? 0)
        }
    }

    var phrase: String {
        "\(name): the responses cover \(answered) of \(operations) \(operations == 1 ? "operation" : "operations") and "
            + "\(seen) of \(documented) documented \(documented == 1 ? "status" : "statuses")"
    }

    var json: OrderedJSON {
        .object([
            "file": .string(name),
            "operations": .object(["answered": .int(answered), "documented": .int(operations)]),
            "statuses": .object(["answered": .int(seen), "documented": .int(documented)]),
        ])
    }
}
