import CommandLineKit
import Commands
import Foundation
import Testing
import ToolSupport

/// The documentation lists the commands, options and layers that the program has.
@Suite struct TableTests {
    private static let commands: [CommandSpec] = CommandList.groups.flatMap { $0.commands }.map { $0.spec }

    @Test("The page on merging gives the order of the layers in the same words as help")
    func order() throws {
        let help = try #require(
            Self.commands.first { $0.name == "explain" }?.sections.first { $0.title == "Order of the layers" })
        let order = try #require(help.text.split(separator: ". ").first)
        let page = try Page(named: "docs/reference/merging.md").prose.map(\.text).joined(separator: " ").replacing(
            "`", with: "")
        #expect(page.contains(order))
    }

    @Test(
        "Every command and option that the documentation mentions exists",
        arguments: Page.names + Page.namesForMaintainers)
    func calls(_ name: String) throws {
        for line in try Page(named: name).prose {
            // The first column of that page has curl's options, and the last section as well.
            let text = name == "docs/reference/curl.md" ? Self.withoutFirstCell(line.text) : line.text
            for span in text.matches(of: /`([^`]+)`/).map(\.1) {
                let place = Comment(rawValue: "\(name):\(line.number): \(span)")
                if span.hasPrefix("reqcli ") {
                    #expect(Self.isKnown(call: span.dropFirst("reqcli ".count)), place)
                } else if span.hasPrefix("--"), span.count > 2 {
                    let option = span.prefix { !" =[".contains($0) }
                    let isKnown = Self.commands.contains { Self.options(of: $0).contains(String(option)) }
                    #expect(isKnown || Self.optionsOfOthers.contains(String(option)), place)
                }
            }
        }
    }

    private static func withoutFirstCell(_ line: String) -> String {
        let cells = line.split(separator: " | ", maxSplits: 1)
        return cells.count == 2 ? String(cells[1]) : ""
    }

    @Test("The page on curl's options has each option of curl 7.88 that an import doesn't report as lost")
    func optionsOfCurl() async throws {
        let page = try Page(named: "docs/reference/curl.md").prose.map(\.text).joined(separator: "\n")
        let help = try await Tool.run("--help", "all", program: ["curl"])
        guard try await Tool.run("--version", program: ["curl"]).outputText.hasPrefix("curl 7.88") else { return }
        let options = help.outputText.matches(of: /(--[a-z0-9.-]+)/).map(\.1)
        let table = try String(
            contentsOfFile: "\(Page.root)/Sources/Work/Importing/Formats/Curl/CurlOption+All.swift", encoding: .utf8)
        let lost = Set(table.matches(of: /CurlOption\("([a-z0-9.-]+)".*, \.lost\b/).map { "--" + $0.1 })
        #expect(options.count > 200 && lost.count > 100)
        for option in Set(options) where !lost.contains(String(option)) {
            #expect(page.contains("`\(option)`"), "\(option)")
        }
    }

    /// Options of curl and of the benchmark.
    private static let optionsOfOthers: Set = [
        "--anyauth", "--aws-sigv4", "--compressed", "--data-raw", "--http2-prior-knowledge", "--only", "--parallel",
        "--path-as-is",
        "--post301",
        "--post302",
    ]

    /// A call as it appears in prose: a command and its options.
    private static func isKnown(call: Substring) -> Bool {
        let words = call.split(separator: " ")
        guard let name = words.first(where: { !$0.hasPrefix("-") }) else { return true }
        let command = Program.spec.read(words.map(String.init)).options.command.name
        guard let spec = commands.first(where: { $0.name == command }) else { return name == "help" }
        return words.filter { $0.hasPrefix("--") && $0.count > 2 }.allSatisfy { word in
            options(of: spec).contains(String(word.prefix { !"=[".contains($0) }))
        }
    }

    private static func options(of spec: CommandSpec) -> Set<String> {
        let own = spec.groups.flatMap(\.options).flatMap { [$0.name] + $0.aliases }
        let toggles = own.map { "no-" + $0 }
        return Set((own + toggles + ["workspace", "color", "no-color", "quiet", "help", "version"]).map { "--" + $0 })
    }
}
