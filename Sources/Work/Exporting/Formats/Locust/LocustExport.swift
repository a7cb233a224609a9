import ReqcliAssembly
import ReqcliDefinitions

extension ExportFormat {
    /// A load test for Locust, with the requests of one environment.
    static let locust = ExportFormat(
        name: "locust", summary: "a load test in Python for Locust", mode: .filled, abilities: { _ in .loadTest }
    ) { requests, notes in
        // Locust's client can't decode zstd.
        guard let plan = LoadPlan(requests, codings: "deflate, gzip, br", &notes) else { return [] }
        let source = requests.source
        let variables = plan.variables.joined(separator: ", ")
        let head = """
            # A load test of \(ScriptText.comment(source.title)) in the environment \(ScriptText.comment(source.environment.name)).
            #
            #   pip install locust
            #   locust -f locustfile.py --headless -u 10 -t 1m
            #
            # On several machines, one master and any number of workers, which get this file from the master:
            #
            #   locust -f locustfile.py --master --headless --expect-workers 2 -u 100 -t 5m
            #   locust -f - --worker --master-host HOST
            \(variables.isEmpty ? "" : "#\n# Set these variables wherever users run: \(variables)\n")

            """
        return [ExportedFile("locustfile.py", head + plan.program(PackageResources.runtime_py, .python))]
    }
}
