package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// Makes the calls of a run: fills templates with values, makes requests and sends them.
///
/// The program makes a caller from an assembler and a transport. A test can return fixed responses instead:
///
/// ```swift
/// let caller = Caller(
///     call: { Call(workspace: workspace, endpoint: $0, environment: environment) },
///     fill: { templates, _, _ in FilledTemplates(values: templates.map(\.literal)) },
///     perform: { _, _ in CallResult(.success(ReceivedResponse(status: 200))) })
/// ```
package struct Caller: Sendable {
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
    /// Prepares the request of a call as far as possible before anything is sent. Returns the problem with the request, or with what
    /// the terms ask of it.
    package var rehearse: @Sendable (_ call: Call, _ terms: CallTerms) async -> Failure?
    /// Makes the request of a call, sends it, and reads as much of the response as the terms ask for. Cancelling the task cancels the
    /// request.
    package var perform: @Sendable (_ call: Call, _ terms: CallTerms) async -> CallResult

    /// The storage that keeps the captures of a required call between runs. The call `user` uses these captures. Nil if nothing
    /// is kept, as in each run of `check`.
    package var kept: @Sendable (_ need: Need, _ call: Call, _ user: Call) -> KeptCaptures? = { _, _, _ in nil }

    package init(
        call: @escaping @Sendable (LocatedEndpoint) -> Call,
        fill: @escaping @Sendable ([ValueTemplate], Call, Bool) async throws(Failure) -> FilledTemplates,
        rehearse: @escaping @Sendable (Call, CallTerms) async -> Failure? = { _, _ in nil },
        perform: @escaping @Sendable (Call, CallTerms) async -> CallResult
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
