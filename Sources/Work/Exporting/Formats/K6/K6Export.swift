import ReqcliAssembly
import ReqcliDefinitions

extension ExportFormat {
    /// A load test for k6, with the requests of one environment.
    static let k6 = ExportFormat(
        name: "k6", summary: "a load test in JavaScript for k6", mode: .filled, abilities: { _ in .loadTest }
    ) { requests, notes in
        guard let plan = LoadPlan(requests, &notes) else { return [] }
        let source = requests.source
        let head = """
            // A load test of \(ScriptText.comment(source.title)) in the environment \(ScriptText.comment(source.environment.name)).
            //
            //   k6 run --vus 10 --duration 1m\(plan.variables.map { " -e \($0)=…" }.joined()) loadtest.js
            //
            // In two parts, on two machines:
            //
            //   k6 run --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 loadtest.js
            //   k6 run --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1 loadtest.js


            """
        return [ExportedFile("loadtest.js", head + plan.program(PackageResources.runtime_js, .javaScript))]
    }
}
