import ReqcliBasics
import ReqcliRedaction
import ReqcliText

/// A file for the requests and responses of a run, which only this process can read.
package struct ExchangeFile: Sendable {
    package var append: @Sendable (_ bytes: [UInt8]) -> Void
    package var read: @Sendable (Range<Int>) -> [UInt8]
    /// The reason why something could not be written or read.
    package var problem: @Sendable () -> String?

    package init(
        append: @escaping @Sendable ([UInt8]) -> Void, read: @escaping @Sendable (Range<Int>) -> [UInt8],
        problem: @escaping @Sendable () -> String?
    ) {
        (self.append, self.read, self.problem) = (append, read, problem)
    }
}

/// How a run keeps the requests and responses of the cases that it has reported.
package enum ExchangeKeeping: Sendable {
    case nothing
    case inMemory
    /// The cases after the first thousand are kept in a file, because the memory must not grow with what servers send.
    case inFile(ExchangeFile)

    /// Whether a plan has more cases than are kept in memory.
    package static func needsFile(_ plan: CheckPlan) -> Bool {
        plan.cases.count + plan.scenarios.count > FiledExchanges.firstInFile
    }
}

/// The requests and responses of a run that are in a file.
package struct FiledExchanges: Sendable {
    fileprivate static let firstInFile = 1000

    private let file: ExchangeFile
    /// The end of the exchanges of each case, from the first case on.
    private var ends: [Int] = []
    /// Masks secrets that became known after an exchange was written.
    var redactor = Redactor([])

    init(_ file: ExchangeFile) { self.file = file }

    package var problem: String? { file.problem() }

    /// Moves the exchanges of the next case to the file.
    mutating func take(from each: inout CaseResult) {
        let start = ends.last ?? 0
        guard ends.count >= Self.firstInFile else { return ends.append(start) }
        let records = each.outcomes.map { $0.exchange.map(ExchangeRecord.form.write) ?? .null }
        let isEmpty = records.allSatisfy { $0 == .null }
        let bytes = isEmpty ? [] : Array(OrderedJSON.array(records).compact.utf8)
        if !isEmpty { file.append(bytes) }
        ends.append(start + bytes.count)
        each.dropExchanges()
    }

    /// The case at a position with its exchanges.
    func restored(_ each: CaseResult, at index: Int) -> CaseResult {
        let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
        guard !range.isEmpty,
            let records = JSONDocument.read(SourceFile(name: "exchanges", bytes: file.read(range))).validRoot?.elements
        else { return each }
        let exchanges = records.map { try? ExchangeRecord.form.read($0).readBack(redactor) }
        guard exchanges.count == 1 + each.steps.count else { return each }
        var each = each
        each.outcome.exchange = exchanges.first ?? nil
        for (index, exchange) in exchanges.dropFirst().enumerated() { each.steps[index].outcome.exchange = exchange }
        return each
    }
}

extension CaseResult {
    fileprivate var outcomes: [Outcome] { [outcome] + steps.map(\.outcome) }

    /// Removes the requests and responses.
    mutating func dropExchanges() {
        outcome.dropExchanges()
        for index in steps.indices { steps[index].outcome.dropExchanges() }
    }
}

extension Outcome {
    fileprivate mutating func dropExchanges() {
        exchange = nil
        blocker?.exchange = nil
    }
}

extension ExchangeRecord {
    fileprivate static let form = table.form { ExchangeRecord() }

    /// The record that was read, without secrets that became known after it was written. Its head holds text of the server
    /// again, except for a usual reason.
    fileprivate func readBack(_ redactor: Redactor) -> ExchangeRecord {
        if redactor.isEmpty { return self }
        var record = self
        let usual = status.map { "HTTP \($0) \(ReasonPhrase.usual(for: $0))" } ?? ""
        let text = head.text
        record.head =
            text.hasPrefix(usual)
            ? Wording(own: usual) + Wording(quoting: String(text.dropFirst(usual.count))) : Wording(quoting: text)
        return record.redacted(redactor)
    }
}
