import ReqcliDefinitions

/// What a tool can express of the definitions. An export notes everything else.
struct ToolAbilities: Sendable {
    let features: Set<Feature>
    /// The operators of conditions.
    var operations: Set<Matcher.Operation> = []
    /// Whether the operand of a condition may be a list or an object.
    var comparesCollections = true
    /// Whether a condition may be about each item of a list.
    var takesEveryItem = false
    /// Whether a condition may be about the item of a list with a certain index.
    var takesIndexes = true
    var captures: Set<CaptureKind> = []

    /// The kinds of captures.
    enum CaptureKind: CaseIterable, Sendable {
        /// A JSON value at a path of names and indexes.
        case member
        /// A JSON value at any other path.
        case path
        case header
        /// The part of a header that a pattern selects.
        case match
        case cookie, body, status, url
    }

    /// The conditions that have no equivalent because of their subject, for a note; nil if the tool can check the subject.
    ///
    /// - Parameter subject: The subject; nil for a JSONPath that ``MemberPath`` can't express.
    func lack(of subject: ResponseCheck.Subject?) -> String? {
        switch subject {
        case nil: return "JSONPaths that select several values"
        case .json(_, let steps)?:
            if !takesEveryItem, steps.contains(.everyItem) { return "JSONPaths that select several values" }
            let hasIndex = steps.contains { if case .index = $0 { true } else { false } }
            return hasIndex && !takesIndexes ? "conditions on an item with an index" : nil
        case .header?, .body?: return nil
        }
    }

    /// The part of a response that a capture takes; nil if the tool can't express the capture.
    func source(of capture: Capture) -> CaptureSource? {
        let (kind, source): (CaptureKind, CaptureSource)
        switch capture.source {
        case .json(let path):
            let member = MemberPath(path.value).flatMap { $0.isSingle ? $0 : nil }
            (kind, source) = (member == nil ? .path : .member, .json(path: path.value, steps: member?.steps ?? []))
        case .header(let name):
            (kind, source) = (
                capture.match == nil ? .header : .match, .header(name.value, pattern: capture.match?.value)
            )
        case .cookie(let name): (kind, source) = (.cookie, .cookie(name.value))
        case .body: (kind, source) = (.body, .body)
        case .status: (kind, source) = (.status, .status)
        case .url: (kind, source) = (.url, .url)
        case nil: return nil
        }
        return captures.contains(kind) ? source : nil
    }
}

/// A part of a response that is kept for later requests.
enum CaptureSource {
    case json(path: String, steps: [MemberPath.Step])
    case header(String, pattern: String?)
    case cookie(String)
    case body, status, url
}

extension Set<Matcher.Operation> {
    /// The operators that exist in nearly every tool.
    static let common: Self = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .exists, .less, .lessOrEqual, .greater,
        .greaterOrEqual,
    ]
}
