/// The source of an operator: the layer that applied it and, if known, the place in a file or the flag.
///
/// ```swift
/// let origin = Origin(layer: "environment staging", file: "environments/staging.json", line: 4, column: 5)
/// builder.withOrigin(origin) { $0.timeout(.seconds(30)) }
/// ```
public struct Origin: Sendable {
    /// The group of operators that the operator belongs to, such as "environment staging" or "command line".
    public var layer: String { content.layer }

    /// The file that the operator was read from.
    public var file: String? { content.file }

    /// The line in ``file``, counted from 1.
    public var line: Int? { content.position?().line }

    /// The column in ``line``, counted from 1.
    public var column: Int? { content.position?().column }

    /// The flag as it was typed, such as "--timeout 5".
    package var flag: String? { content.flag }

    /// The values of the origin. They are shared, because every operator has an origin, and operators are copied often. With the
    /// values themselves in the origin and in the operator, `validate` takes 6.5 % more instructions.
    private let content: Content

    private final class Content: Sendable {
        let layer: String
        let file: String?
        let position: (@Sendable () -> (line: Int?, column: Int?))?
        let flag: String?

        init(
            layer: String, file: String?, position: (@Sendable () -> (line: Int?, column: Int?))?, flag: String?
        ) {
            self.layer = layer
            self.file = file
            self.position = position
            self.flag = flag
        }
    }

    /// An origin in a file, or only in a layer.
    public init(layer: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.init(layer: layer, file: file) { (line, column) }
    }

    /// An origin in a file, whose line and column are computed lazily.
    package init(layer: String, file: String?, position: @escaping @Sendable () -> (line: Int?, column: Int?)) {
        content = Content(layer: layer, file: file, position: position, flag: nil)
    }

    /// An origin on a command line.
    package init(layer: String, flag: String) {
        content = Content(layer: layer, file: nil, position: nil, flag: flag)
    }

    /// The place in the Swift code where this function is called.
    public static func here(
        _ layer: String, file: String = #fileID, line: Int = #line, column: Int = #column
    ) -> Origin {
        Origin(layer: layer, file: file, line: line, column: column)
    }
}

extension Origin: Hashable {
    /// Two origins are equal if all their parts are equal. Parts that are not computed yet are computed for this.
    public static func == (one: Origin, other: Origin) -> Bool {
        one.content === other.content
            || one.layer == other.layer && one.file == other.file && one.line == other.line
                && one.column == other.column && one.flag == other.flag
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(layer)
        hasher.combine(file)
        hasher.combine(line)
        hasher.combine(column)
        hasher.combine(flag)
    }
}

extension Origin: CustomStringConvertible {
    /// The most exact part that is known: the flag, else `file:line:column`, else the layer.
    public var description: String {
        if let flag { return flag }
        guard let file else { return layer }
        return [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }
}
