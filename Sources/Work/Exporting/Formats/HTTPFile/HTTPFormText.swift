import RequestBuilding

/// Texts of form fields in a `.http` file.
enum HTTPFormText {
    static func encoded(_ text: Substring) -> String { PercentEncoding.queryComponent(String(text)) }
}
