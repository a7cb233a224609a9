import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The keys of a record in a JSON report. The table is used to write, read and mask the record.
struct RecordTable<Model>: Sendable {
    private let fields: [RecordField<Model>]
    private let check: @Sendable (Model) throws(UnreadableReport) -> Void

    /// - Parameter check: Checks a record after all its keys were read.
    init(
        _ fields: [RecordField<Model>],
        check: @escaping @Sendable (Model) throws(UnreadableReport) -> Void = { (_) throws(UnreadableReport) in }
    ) {
        (self.fields, self.check) = (fields, check)
    }

    func members(of model: Model) -> [OrderedJSON.Member] { fields.flatMap { $0.write(model) } }

    func read(_ object: ReportObject, into model: inout Model) throws(UnreadableReport) {
        for field in fields { try field.read(object, &model) }
        try check(model)
    }

    func mask(_ model: inout Model, _ redactor: Redactor) {
        for field in fields { field.mask?(&model, redactor) }
    }

    func masked(_ model: Model, _ redactor: Redactor) -> Model {
        if redactor.isEmpty { return model }
        var result = model
        mask(&result, redactor)
        return result
    }

    private var masks: Bool { fields.contains { $0.mask != nil } }

    /// The record as the value of a key.
    ///
    /// - Parameter empty: The record before any key is read.
    func form(_ empty: @escaping @Sendable () -> Model) -> RecordForm<Model> {
        var form = RecordForm<Model> { model in
            .object(members(of: model))
        } read: { (value) throws(UnreadableReport) in
            var model = empty()
            try read(ReportObject(value), into: &model)
            return model
        }
        if masks { form.mask = { mask(&$0, $1) } }
        return form
    }
}

/// A key of a record, or several keys for one property.
struct RecordField<Model>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Model, Value> & Sendable

    let write: @Sendable (Model) -> [OrderedJSON.Member]
    let read: @Sendable (ReportObject, inout Model) throws(UnreadableReport) -> Void
    /// Masks secrets; nil if the property has no text that may contain one.
    private(set) var mask: (@Sendable (inout Model, Redactor) -> Void)?

    /// A property with a value.
    ///
    /// - Parameters:
    ///   - isRequired: Whether a report without the key can't be read. Otherwise, a property without its key keeps its value.
    ///   - isWritten: Decides whether a value is written. By default, every value is.
    init<Value>(
        _ key: String, _ path: Path<Value>, _ form: RecordForm<Value>, isRequired: Bool = false,
        if isWritten: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        write = { model in
            let value = model[keyPath: path]
            return isWritten(value) ? [OrderedJSON.Member(key, form.write(value))] : []
        }
        read = { (object, model) throws(UnreadableReport) in
            let found = try object.value(key, form)
            if let value = isRequired ? try object.required(key, found) : found { model[keyPath: path] = value }
        }
        if let inner = form.mask {
            mask = { (model: inout Model, redactor: Redactor) in inner(&model[keyPath: path], redactor) }
        }
    }

    /// A property without a value is not written.
    init<Value>(_ key: String, optional path: Path<Value?>, _ form: RecordForm<Value>) {
        write = { model in model[keyPath: path].map { [OrderedJSON.Member(key, form.write($0))] } ?? [] }
        read = { (object, model) throws(UnreadableReport) in model[keyPath: path] = try object.value(key, form) }
        if let inner = form.mask {
            mask = { (model: inout Model, redactor: Redactor) in
                guard var value = model[keyPath: path] else { return }
                inner(&value, redactor)
                model[keyPath: path] = value
            }
        }
    }

    /// The keys of a part, written directly into the record and not into an object of the part.
    init<Part>(_ path: Path<Part>, _ table: RecordTable<Part>) {
        write = { table.members(of: $0[keyPath: path]) }
        read = { (object, model) throws(UnreadableReport) in try table.read(object, into: &model[keyPath: path]) }
        mask = { table.mask(&$0[keyPath: path], $1) }
    }

    /// A value that is only written, because reading derives it from other keys.
    init(_ key: String, value: @escaping @Sendable (Model) -> OrderedJSON?) {
        write = { model in value(model).map { [OrderedJSON.Member(key, $0)] } ?? [] }
        read = { (_, _) throws(UnreadableReport) in }
    }

    /// Keys with their own functions to write and read them.
    init(
        write: @escaping @Sendable (Model) -> [OrderedJSON.Member],
        read: @escaping @Sendable (ReportObject, inout Model) throws(UnreadableReport) -> Void
    ) {
        (self.write, self.read) = (write, read)
    }

    /// A copy of the field that masks secrets in another way.
    func masking(_ mask: @escaping @Sendable (inout Model, Redactor) -> Void) -> RecordField {
        var field = self
        field.mask = mask
        return field
    }
}

/// How a value of a record is written, read and masked.
struct RecordForm<Value>: Sendable {
    let write: @Sendable (Value) -> OrderedJSON
    let read: @Sendable (JSONValue) throws(UnreadableReport) -> Value
    /// Masks secrets; nil if the value has no text that may contain one.
    var mask: (@Sendable (inout Value, Redactor) -> Void)?

    init(
        write: @escaping @Sendable (Value) -> OrderedJSON,
        read: @escaping @Sendable (JSONValue) throws(UnreadableReport) -> Value
    ) {
        (self.write, self.read) = (write, read)
    }

    /// A value that `read` converts. If `read` returns nil, the error says what was expected.
    init(
        _ expected: String, write: @escaping @Sendable (Value) -> OrderedJSON,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(write: write) { (value) throws(UnreadableReport) in
            guard let found = read(value) else { throw UnreadableReport(value, isNot: expected) }
            return found
        }
    }

    var list: RecordForm<[Value]> {
        var form = RecordForm<[Value]> { values in
            .array(values.map(write))
        } read: { (value) throws(UnreadableReport) in
            guard value.kind == .array else { throw UnreadableReport(value, isNot: "a list") }
            var result: [Value] = []
            result.reserveCapacity(value.count)
            for element in value.elements { result.append(try read(element)) }
            return result
        }
        if let mask {
            form.mask = { (values: inout [Value], redactor: Redactor) in
                for index in values.indices { mask(&values[index], redactor) }
            }
        }
        return form
    }
}

extension RecordForm<String> {
    static var text: Self {
        Self("a string") {
            .string($0)
        } read: {
            $0.string
        }
    }
}

extension RecordForm<Wording> {
    /// Text in which secrets are masked when it is written. Text that was read has no secrets left to mask.
    static var wording: Self {
        var form = Self("a string") {
            .string($0.text)
        } read: {
            $0.string.map(Wording.init(own:))
        }
        form.mask = { $0 = $1.redact($0) }
        return form
    }
}

extension RecordForm<Int> {
    static var int: Self {
        Self("a whole number") {
            .int($0)
        } read: {
            $0.number?.int
        }
    }
}

extension RecordForm<Bool> {
    static var bool: Self {
        Self("true or false") {
            .bool($0)
        } read: {
            $0.bool
        }
    }
}

extension RecordForm<Duration> {
    /// A duration in milliseconds. A value too large for any run is an error.
    static var milliseconds: Self {
        Self("a number of milliseconds") {
            .int(TimeText.milliseconds($0))
        } read: { value in
            value.number?.int.flatMap { (0...1_000_000_000_000).contains($0) ? .milliseconds($0) : nil }
        }
    }
}

extension RecordForm<Duration> {
    /// A duration in milliseconds with three decimals, which are as many as libcurl measures.
    static var fineMilliseconds: Self {
        Self("a number of milliseconds") {
            .number(String(($0.seconds * 1_000_000).rounded() / 1000))
        } read: { value in
            value.number.flatMap { (0...1e12).contains($0.double) ? .microseconds(($0.double * 1000).rounded()) : nil }
        }
    }
}

extension RecordForm where Value: RawRepresentable<String> & Sendable {
    /// One of a fixed list of words.
    static var word: Self {
        Self("a known word") {
            .string($0.rawValue)
        } read: {
            $0.string.flatMap(Value.init(rawValue:))
        }
    }
}
