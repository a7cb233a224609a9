import RequestBuilding

/// Encodes names and values of form fields for a `.http` file.
enum HTTPFormText {
    static func encoded(_ text: Substring) -> String { PercentEncoding.queryComponent(String(text)) }
}
