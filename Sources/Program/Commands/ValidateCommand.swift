package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Reads every file of the workspace and reports every problem.
package struct ValidateCommand: Command {
    static let json = SharedOptions.json("Print the result as JSON, for editors and CI")

    package static let spec = CommandSpec(
        "validate", "Check every file of the workspace",
        examples: [
            Example("All problems in all files", "reqcli validate"),
            Example("As JSON, for an editor or a CI job", "reqcli validate --json"),
        ],
        options: [OptionGroup("Output", json)],
        sections: [
            TextSection(
                "What is checked",
                """
                Syntax, unknown and duplicate keys, types and ranges, placeholders, and all references between files: \
                environments, endpoints, variants, secrets and stub files.

                Problems are printed to stderr, each with its place. Warnings don't change the exit status.
                """)
        ],
        exitStatuses: [
            .success, .usage.meaning("no workspace found, or wrong usage"),
            .broken.meaning("there are errors in the files"),
        ],
        page: "reference/files.md")

    let arguments: ParsedArguments
    let asJSON: Bool

    package init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        asJSON = arguments[Self.json]
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let report: ValidationReport
        do throws(Failure) {
            let workspace = try context.open(arguments)
            let dotEnv = DotEnvFile(in: workspace.root, context.files)
            let warning = dotEnv.trackedWarning(shown: workspace.shown(DotEnvFile.name))
            report = workspace.validate(judging: Assembler.certainProblems, adding: warning)
        } catch  where asJSON {
            // The result lists every problem, including this failure.
            context.output.write(OrderedJSON(diagnostics: error.diagnostics).pretty + "\n")
            return error.status
        }
        if asJSON {
            context.output.write(report.json.pretty + "\n")
        } else {
            context.report(report.diagnostics)
            if !report.hasErrors { context.writeSummary([Styled(report.summary)]) }
        }
        return report.hasErrors ? .broken : .success
    }
}

extension ValidationReport {
    fileprivate var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// `ok: 17 endpoints, 4 environments in 11 files`
    fileprivate var summary: String {
        let warnings = diagnostics.isEmpty ? "" : "; \(counted(diagnostics.count, "warning"))"
        let scenarios = scenarioCount == 0 ? "" : ", \(counted(scenarioCount, "scenario"))"
        let loads = loadCount == 0 ? "" : ", \(counted(loadCount, "load"))"
        return
            "ok: \(counted(endpointCount, "endpoint")), \(counted(environmentCount, "environment"))\(scenarios)\(loads)"
            + " in \(counted(fileCount, "file"))\(warnings)"
    }

    fileprivate var json: OrderedJSON {
        .object(
            [
                OrderedJSON.Member("endpoints", .int(endpointCount)),
                OrderedJSON.Member("environments", .int(environmentCount)),
                OrderedJSON.Member("scenarios", .int(scenarioCount)),
                OrderedJSON.Member("loads", .int(loadCount)), OrderedJSON.Member("files", .int(fileCount)),
            ] + OrderedJSON.members(diagnostics))
    }
}
