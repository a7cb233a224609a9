import ReqcliText

/// One request of a Hurl file, with the expectations for its response.
struct HurlEntry {
    var place: Place
    /// The comment right above the request.
    var comment: String?
    var method: String
    var url: TemplateText
    var request = HurlMessage()
    var response: HurlResponse?
}

/// The headers, sections and body of a request or a response.
struct HurlMessage {
    var headers: [HurlPair] = []
    var sections: [HurlSection] = []
    var body: (content: HurlBody, place: Place)?
}

struct HurlResponse {
    var version: String
    var status: String
    var place: Place
    var message = HurlMessage()
}

/// A name and a value on one line.
struct HurlPair {
    var name: TemplateText
    var value: TemplateText
    var place: Place
}

struct HurlSection {
    var name: String
    var place: Place
    /// The lines of every section but `[Captures]` and `[Asserts]`.
    var pairs: [HurlPair] = []
    /// The lines of `[Captures]` and `[Asserts]`.
    var statements: [HurlStatement] = []
}

/// A query with its filters. An assertion also has a predicate.
struct HurlStatement {
    /// The variable that a capture sets.
    var name: String?
    var tokens: [HurlToken]
    var place: Place
}

enum HurlToken: Equatable {
    case word(String)
    case text(TemplateText)
    case pattern(String)
    /// `hex,…;`, `base64,…;` and `file,…;`.
    case bytes
}

enum HurlBody {
    /// JSON, XML or any other text. The language is the word after the opening backquotes.
    case text(TemplateText, language: String?)
    case file(TemplateText)
    case base64(String)

    var hasLanguage: Bool { if case .text(_, let language) = self { language != nil } else { false } }
}
