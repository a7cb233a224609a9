import ReqcliDefinitions

/// A part of a response as VS Code names it: `body.$.token`, `headers.X-Token`.
struct HTTPFileReference {
    let text: String

    /// Nil for a part that VS Code has no name for.
    init?(_ capture: Capture) {
        switch capture.source {
        case .json(let path) where MemberPath(path.value)?.isSingle == true: text = "body.\(path.value)"
        case .header(let header) where capture.match == nil: text = "headers.\(header.value)"
        case .body: text = "body.*"
        default: return nil
        }
    }
}
