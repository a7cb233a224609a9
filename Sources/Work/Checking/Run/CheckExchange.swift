package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText

/// The functions through which checks reach the outside world, for example to fill templates with values and to send requests.
///
/// The program implements these functions with the assembler and a transport. A test can return fixed responses instead:
///
/// ```swift
/// let exchange = CheckExchange(
///     call: { Call(workspace: workspace, endpoint: $0, environment: environment) },
///     fill: { templates, _, _ in FilledTemplates(values: templates.map(\.literal)) },
///     perform: { _, _ in Exchanged(.success(ReceivedResponse(status: 200))) })
/// ```
package struct CheckExchange: Sendable {
    /// The call of an endpoint in this run. Params and captures are added to the call later.
    package var call: @Sendable (LocatedEndpoint) -> Call
    /// Replaces the placeholders of templates, in the scope of a call: its params, captures, variables and secrets.
    ///
    /// With `needsAll`, a list or an object in which a value is missing has no value either, because an expectation must not
    /// expect less than the user meant. Without `needsAll`, only the missing value is left out of the list or object, as in a
    /// body.
    package var fill:
        @Sendable (_ templates: [ValueTemplate], _ call: Call, _ needsAll: Bool) async throws(Failure) ->
            FilledTemplates
    /// Prepares the request of a call as far as possible before anything is sent. Returns the problem with the request, or with
    /// the operation of a description that the request belongs to.
    package var rehearse: @Sendable (_ call: Call, _ expectation: CompiledExpectation?) async -> Failure?
    /// Makes the request of a call, sends it, and waits for the part of the response that the expectation is about. Cancelling
    /// the task cancels the request. A body that is too large to check is still read until `maxTime` has passed, if there is one.
    package var perform: @Sendable (_ call: Call, _ expectation: CompiledExpectation?) async -> Exchanged

    /// The storage that keeps the captures of a required call between runs. The call `user` uses these captures. Nil if nothing
    /// is kept, as in each run of `check`.
    package var kept: @Sendable (_ need: Need, _ call: Call, _ user: Call) -> KeptCaptures? = { _, _, _ in nil }

    package init(
        call: @escaping @Sendable (LocatedEndpoint) -> Call,
        fill: @escaping @Sendable ([ValueTemplate], Call, Bool) async throws(Failure) -> FilledTemplates,
        rehearse: @escaping @Sendable (Call, CompiledExpectation?) async -> Failure? = { _, _ in nil },
        perform: @escaping @Sendable (Call, CompiledExpectation?) async -> Exchanged
    ) {
        self.call = call
        self.fill = fill
        self.rehearse = rehearse
        self.perform = perform
    }
}

/// The captures of one call, kept for later runs.
package struct KeptCaptures: Sendable {
    package var load: @Sendable () -> [String: OrderedJSON]?
    package var save: @Sendable (_ captures: [String: OrderedJSON], _ setsCookies: Bool) -> Void
    /// Removes kept captures that have expired.
    package var remove: @Sendable () -> Void

    package init(
        load: @escaping @Sendable () -> [String: OrderedJSON]?,
        save: @escaping @Sendable ([String: OrderedJSON], Bool) -> Void, remove: @escaping @Sendable () -> Void
    ) {
        self.load = load
        self.save = save
        self.remove = remove
    }
}

/// The identity of a call: its endpoint and its params. For calls that use captures, this identity is not enough.
package struct CallIdentity: Hashable, Sendable {
    private let endpointID: String
    private let parameters: [String]

    init(_ endpoint: LocatedEndpoint, _ arguments: [ParameterArgument], unchecked: UncheckedValue? = nil) {
        endpointID = endpoint.id
        let known = endpoint.parameters
        let given = arguments.map { "\($0.name):\($0.source.json(as: known[named: $0.name]?.kind))" }.sorted()
        parameters = given + (unchecked.map { ["!\($0.name):\($0.value?.compact ?? "")"] } ?? [])
    }
}

extension Call {
    package var identity: CallIdentity { CallIdentity(endpoint, arguments, unchecked: unchecked) }
}

extension ParameterArgument.Source {
    /// The value as JSON, because `1` and `"1"` are different values. A `1` from a table gets the type of the param.
    fileprivate func json(as kind: Parameter.Kind?) -> String {
        switch self {
        case .value(let value): return value.compact
        case .file(let path): return "@" + path
        case .text(let text):
            switch kind {
            case .integer, .number, .boolean, .json, .list: return text
            case .string, nil: return OrderedJSON.string(text).compact
            // This path is relative to another folder than a path in a definition file, so it gets another prefix.
            case .file: return "=" + text
            }
        }
    }
}

/// The result of one call.
package struct Exchanged: Sendable {
    /// The request as reports show it.
    package struct Request: Sendable, Equatable {
        package internal(set) var method: String
        package internal(set) var url: String
        /// The command that sends the same request.
        package internal(set) var curl: String

        package init(method: String, url: String, curl: String) {
            self.method = method
            self.url = url
            self.curl = curl
        }
    }

    /// The stub variant that responded.
    package struct Stub: Sendable, Equatable {
        package internal(set) var name: String
        /// Whether the variant has `"expect": "fail"`: the checks have to fail on its response.
        package internal(set) var mustFail: Bool

        package init(name: String, mustFail: Bool) {
            self.name = name
            self.mustFail = mustFail
        }
    }

    package let result: Result<ReceivedResponse, Failure>
    /// Makes the request; nil if there is none. The request is made only when a report shows it, because most requests are never
    /// shown.
    package let request: @Sendable () -> Request?
    /// The secrets in the request.
    package let secrets: [Redactor.Secret]
    package let stub: Stub?
    /// The number of requests sent for the call: more than one if the call itself is retried, zero if no request could be made.
    package let requests: Int
    /// The reason why the first of several requests failed.
    package let firstFailure: String?
    /// The number by which `Call.cookieSources` refers to the cookies that the call has set; nil if there are none to pass on.
    package let cookies: Int?

    package init(
        _ result: Result<ReceivedResponse, Failure>, request: @autoclosure @escaping @Sendable () -> Request? = nil,
        secrets: [Redactor.Secret] = [],
        stub: Stub? = nil, requests: Int = 1, firstFailure: String? = nil, cookies: Int? = nil
    ) {
        self.firstFailure = firstFailure
        self.cookies = cookies
        self.result = result
        self.request = request
        self.secrets = secrets
        self.stub = stub
        self.requests = requests
    }
}
