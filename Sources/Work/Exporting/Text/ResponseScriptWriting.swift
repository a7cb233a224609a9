import ReqcliDefinitions
import ReqcliText

/// A script of another tool. The script checks a response and keeps parts of the response for later requests.
protocol ResponseScriptWriting {
    /// The operators that the tool's language can express.
    static var operations: Set<Matcher.Operation> { get }
    /// The expression for the value of a capture; nil if a script can't express the capture.
    static func value(of capture: Capture) -> String?
    /// The statement that keeps a value for other requests.
    static func keeping(_ value: String, as variable: String) -> String

    var lines: [String] { get }
    init(_ request: OpenRequest)
    /// Adds the expectations for the response as a whole.
    mutating func addWhole()
    mutating func add(_ condition: OpenCondition, _ names: inout VariableNames)
    mutating func add(_ line: String)
}

extension ResponseScriptWriting {
    /// The lines of the script for one request; empty if the request has no expectations and captures.
    static func lines(for request: OpenRequest, _ writer: inout TemplateWriter) -> [String] {
        var script = Self(request)
        var notes: [ConversionNote] = []
        let conditions = writer.maker.conditions(of: request, operations, takesEveryItem: false, &notes)
        script.addWhole()
        for condition in conditions { script.add(condition, &writer.names) }
        for capture in request.endpoint.definition.captures {
            let variable = ScriptText.javaScript(writer.names.capture(capture.name, of: request))
            if let value = value(of: capture.value) {
                script.add(keeping(value, as: variable))
            } else {
                notes.append(
                    ConversionNote(
                        .lost, "captures of this kind are not converted", "\(capture.name) of \(request.endpoint.id)",
                        at: capture.namePlace))
            }
        }
        writer.notes += notes
        return script.lines
    }
}
