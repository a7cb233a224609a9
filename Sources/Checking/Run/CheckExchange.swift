package import Definitions
package import Redaction
package import SourceText

/// The way from the checks to the world: how templates get their values, and how a call gets its answer.
///
/// The program fills it with the assembler and a transport; a test answers from a table:
///
/// ```swift
/// let exchange = CheckExchange(
///     fill: { templates, _, _ in Filled(.success(templates.map(\.literal))) },
///     perform: { _ in Exchanged(.success(Answer(status: 200))) })
/// ```
package struct CheckExchange: Sendable {
    /// What an optional param that wasn't given does to the list or the object in which it stands.
    package enum Gaps: Sendable {
        /// It is left out, as in a body.
        case leftOut
        /// There is no value: what is compared with must not become less than was meant, or anything might match.
        case spoilAll
    }

    /// Replaces the placeholders of templates, in the scope of a call: its params, captures, variables and secrets.
    package var fill: @Sendable (_ templates: [ValueTemplate], _ call: CheckCall, _ gaps: Gaps) async -> Filled
    /// Makes the request of a call as far as it can be made before anything is sent, and tells what is wrong with it.
    package var rehearse: @Sendable (_ call: CheckCall) async -> CheckProblem?
    /// Makes the request of a call, sends it and waits for all of the answer. Cancelling the task gives it up.
    package var perform: @Sendable (_ call: CheckCall) async -> Exchanged

    package init(
        fill: @escaping @Sendable ([ValueTemplate], CheckCall, Gaps) async -> Filled,
        rehearse: @escaping @Sendable (CheckCall) async -> CheckProblem? = { _ in nil },
        perform: @escaping @Sendable (CheckCall) async -> Exchanged
    ) {
        self.fill = fill
        self.rehearse = rehearse
        self.perform = perform
    }
}

/// One call of an endpoint: values for its params, and what the endpoints it needs have captured, by alias and name.
package struct CheckCall: Sendable {
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: CallValue

        package init(name: String, value: CallValue) {
            self.name = name
            self.value = value
        }
    }

    package let endpoint: LocatedEndpoint
    package var parameters: [Parameter] = []
    package var captures: [String: [String: OrderedJSON]] = [:]
    /// The names of those that are never to be shown, by alias.
    package var secretCaptures: [String: Set<String>] = [:]
    /// Masks the secrets that its params hold.
    package var redactor = Redactor([])
    /// What the templates that belong to it have drawn.
    package var drawn = DrawnValues()
    /// In a rehearsal, the captures that are yet to come, by alias.
    package var awaitedCaptures: [String: Set<String>] = [:]
    /// And the params that are made of them.
    package var awaitedParameters: Set<String> = []
    /// How long the response may take: a body that is too large to be judged is read on until then.
    package var maxTime: Duration?

    init(endpoint: LocatedEndpoint) { self.endpoint = endpoint }

    /// What tells it from other calls that take no captures.
    package struct Identity: Hashable, Sendable {
        private let endpointID: String
        private let parameters: [String]

        fileprivate init(_ call: CheckCall) {
            endpointID = call.endpoint.id
            let known = call.endpoint.parameters
            parameters = call.parameters.map { "\($0.name):\($0.value.json(as: known[named: $0.name]?.kind))" }.sorted()
        }
    }

    package var identity: Identity { Identity(self) }
}

extension CallValue {
    /// As JSON, since `1` and `"1"` are different values: `1` out of a table is whatever the param makes of it.
    fileprivate func json(as kind: Parameter.Kind?) -> String {
        switch self {
        case .json(let value): value.compact
        case .text(let text):
            switch kind {
            case .integer, .number, .boolean, .json: text
            case .string, nil: OrderedJSON.string(text).compact
            // Its path is seen from another folder than one in a file of definitions.
            case .file: "=" + text
            }
        }
    }
}

/// What came of filling templates.
package struct Filled: Sendable {
    /// One for each template; nil where nothing but an optional param stands that wasn't given.
    package let result: Result<[OrderedJSON?], CheckProblem>
    /// Those that were put in, and must not be shown.
    package let secrets: [Redactor.Secret]
    /// What the call had drawn before, and what is new.
    package let drawn: DrawnValues

    package init(
        _ result: Result<[OrderedJSON?], CheckProblem>, secrets: [Redactor.Secret] = [],
        drawn: DrawnValues = DrawnValues()
    ) {
        self.result = result
        self.secrets = secrets
        self.drawn = drawn
    }
}

/// What came of one request.
package struct Exchanged: Sendable {
    /// The request as reports show it.
    package struct Request: Sendable, Equatable {
        package let method: String
        package let url: String
        /// The command that sends the same request.
        package let curl: String

        package init(method: String, url: String, curl: String) {
            self.method = method
            self.url = url
            self.curl = curl
        }
    }

    /// The stub variant that answered.
    package struct Stub: Sendable, Equatable {
        package let name: String
        /// `"expect": "fail"`: the checks have to fail on it.
        package let mustFail: Bool

        package init(name: String, mustFail: Bool) {
            self.name = name
            self.mustFail = mustFail
        }
    }

    package let result: Result<Answer, CheckProblem>
    /// Nil if there was none to be made. Made when somebody wants to see it: of most requests nobody does.
    package let request: @Sendable () -> Request?
    /// Those that are in the request.
    package let secrets: [Redactor.Secret]
    package let stub: Stub?
    /// How many requests were sent for it: more than one where the call itself is retried, none where none could be made.
    package let requests: Int

    package init(
        _ result: Result<Answer, CheckProblem>, request: @autoclosure @escaping @Sendable () -> Request? = nil,
        secrets: [Redactor.Secret] = [],
        stub: Stub? = nil, requests: Int = 1
    ) {
        self.result = result
        self.request = request
        self.secrets = secrets
        self.stub = stub
        self.requests = requests
    }
}
