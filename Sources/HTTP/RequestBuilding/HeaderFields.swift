import ReqcliBasics

/// Header fields as they are sent: in order, in their original spelling, with repetitions.
///
/// Names are compared without regard to case.
///
/// ```swift
/// var fields: HeaderFields = ["Accept": "text/html"]
/// fields.append("Accept", "application/json")
/// fields.values("accept")  // ["text/html", "application/json"]
/// ```
public struct HeaderFields: Hashable, Sendable {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public let name: String
        /// The value, without the whitespace around it.
        public let value: String
        /// Whether the value was received as Latin-1. It is then also sent as Latin-1.
        package private(set) var isLatin1 = false

        /// A field without the whitespace around its value, which HTTP ignores.
        public init(_ name: String, _ value: String) {
            self.name = name
            // Fast path: most values have no whitespace around them, so nothing is copied.
            self.value =
                value.utf8.first?.isSpaceOrTab == true || value.utf8.last?.isSpaceOrTab == true
                ? String(value.trimmingSpacesAndTabs) : value
        }

        /// A field that is not a header: the whitespace around its value is kept.
        package init(_ name: String, exactly value: String) { (self.name, self.value) = (name, value) }

        /// A field as it was received over a connection.
        package init(_ name: String, _ value: String, isLatin1: Bool) {
            self.init(name, value)
            self.isLatin1 = isLatin1
        }

        /// The bytes of the value, as they are sent over a connection.
        package var valueBytes: [UInt8] {
            let bytes = isLatin1 ? value.unicodeScalars.map { UInt8(exactly: $0.value) } : [nil]
            return bytes.contains(nil) ? Array(value.utf8) : bytes.compactMap(\.self)
        }
    }

    private var fields: [Field]
    /// The names of all fields in lower case, perhaps also of fields that were removed. Nil if there are only a few fields,
    /// because comparing a few names is faster.
    private var names: Set<String>?
    private static let few = 64

    /// The fields in the order given.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The fields of a dictionary, sorted by name. To keep the order of a dictionary literal, write the literal without this
    /// initializer, as in `let fields: HeaderFields = ["B": "1", "A": "2"]`.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { Field($0.key, $0.value) })
    }

    /// The headers that always hold credentials.
    static let credentialNames = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"]

    /// The values of one name, in order; empty when the name is absent.
    public func values(_ name: String) -> [String] {
        named(name).map(\.value)
    }

    /// The fields of one name, in order, each in its own spelling.
    package func named(_ name: String) -> [Field] { fields.filter { $0.name.isSameHeader(as: name) } }

    /// The first value of a name.
    public subscript(_ name: String) -> String? {
        fields.first { $0.name.isSameHeader(as: name) }?.value
    }

    /// Replaces all fields of a name. The new fields take the position of the first old field, or the end if there was none.
    public mutating func set(_ name: String, _ values: [String]) {
        let isNew = names.map { !$0.contains(name.asciiLowercased) } ?? false
        guard !isNew, let first = fields.firstIndex(where: { $0.name.isSameHeader(as: name) }) else {
            for value in values { append(name, value) }
            return
        }
        // No field of that name comes before `first`, so the index is still correct after the removal.
        remove(name)
        fields.insert(contentsOf: values.map { Field(name, $0) }, at: first)
    }

    /// Replaces all fields of a name by one field.
    public mutating func set(_ name: String, _ value: String) {
        set(name, [value])
    }

    /// Adds a field at the end. Other fields with the same name are kept.
    public mutating func append(_ name: String, _ value: String) {
        append(Field(name, value))
    }

    /// Adds a field at the end. Other fields with the same name are kept.
    package mutating func append(_ field: Field) {
        fields.append(field)
        if names != nil {
            names?.insert(field.name.asciiLowercased)
        } else if fields.count > Self.few {
            names = Set(fields.map(\.name.asciiLowercased))
        }
    }

    /// Removes all fields of a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.name.isSameHeader(as: name) }
    }
}

extension HeaderFields {
    /// Whether both have the same fields in the same order.
    public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    /// Hashes the fields in their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

// MARK: - As a dictionary

extension HeaderFields {
    /// The fields with one value per name: repeated values are joined, cookies with ";" and others with ",".
    var joined: [String: String] {
        var dictionary = [String: String](minimumCapacity: count)
        for field in self where !dictionary.keys.contains(where: { $0.isSameHeader(as: field.name) }) {
            dictionary[field.name] = joinedValue(field.name)
        }
        return dictionary
    }

    private func joinedValue(_ name: String) -> String {
        values(name).joined(separator: name.isSameHeader(as: "Cookie") ? "; " : ", ")
    }

    /// Applies the changes that were made to a dictionary of the fields: a changed value replaces the fields of its name, text
    /// that was appended to a value becomes a new field after them, and a new name is added at the end.
    mutating func take(_ changed: [String: String], after before: [String: String]) {
        let before = Dictionary(before.map { ($0.key.asciiLowercased, $0.value) }, uniquingKeysWith: { $1 })
        for (name, value) in changed.sorted(by: { $0.key < $1.key }) where before[name.asciiLowercased] != value {
            let known = joinedValue(name) + ","
            if let last = fields.lastIndex(where: { $0.name.isSameHeader(as: name) }), value.hasPrefix(known) {
                fields.insert(Field(fields[last].name, String(value.dropFirst(known.count))), at: last + 1)
            } else {
                set(fields.first { $0.name.isSameHeader(as: name) }?.name ?? name, value)
            }
        }
        fields.removeAll { field in !changed.keys.contains { $0.isSameHeader(as: field.name) } }
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The index after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal, without those whose value is nil. A name may occur more than once.
    public init(dictionaryLiteral elements: (String, String?)...) {
        self.init(elements.compactMap { name, value in value.map { Field(name, $0) } })
    }
}

extension HeaderFields: CustomStringConvertible {
    /// One line of `Name: value` per field, with the credentials of Authorization and cookies masked.
    public var description: String {
        fields.map { field in
            let isSecret = Self.credentialNames.contains { $0.isSameHeader(as: field.name) }
            return "\(field.name): \(isSecret ? field.maskedValue : field.value)"
        }
        .joined(separator: "\n")
    }
}

extension HeaderFields.Field {
    /// The string that replaces a credential in descriptions and logs.
    package static let mask = "***"

    /// The value without its secret part: a cookie keeps its name and attributes, credentials keep their scheme.
    package var maskedValue: String {
        let name = name.asciiLowercased
        if name.hasPrefix("set-cookie") {
            // If the cookie has no name, the whole text is its value (RFC 6265, section 5.2).
            let start = value.firstIndex(of: "=").map { value.index(after: $0) } ?? value.startIndex
            let end = value[start...].firstIndex(of: ";") ?? value.endIndex
            return "\(value[..<start])\(Self.mask)\(value[end...])"
        }
        let words = value.split(separator: " ", maxSplits: 1)
        return name.hasSuffix("authorization") && words.count == 2 ? "\(words[0]) \(Self.mask)" : Self.mask
    }
}

extension String {
    /// Whether two names are the same header. Only ASCII letters are compared without regard to case, so that Unicode folding
    /// never makes two different names equal.
    package func isSameHeader(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var others = other.utf8.makeIterator()
        for byte in utf8 where byte.lowercased != others.next()?.lowercased { return false }
        return true
    }

    var asciiLowercased: String {
        String(decoding: utf8.map(\.lowercased), as: UTF8.self)
    }
}
