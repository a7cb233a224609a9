import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// Steps that don't fit their endpoints, or each other.
@Suite struct ScenarioMistakeTests {
    @Test("each mistake in a scenario is told where it stands, with near names", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    @Test("a scenario in which everything fits has no diagnostics")
    func isFine() {
        let mistake = Self.scenario(
            "fine",
            """
            {"params": {"name": {"type": "string"}}, "steps": [
              {"name": "made", "endpoint": "cart.create"},
              {"name": "add", "endpoint": "cart.add", "forEach": ["{{name}}", {"a": 1}], "as": "it",
               "with": {"id": "{{made.id}}", "sku": "{{it.a}} {{$index}}"}, "capture": {"line": {"json": "$.line"}}},
              {"name": "read", "endpoint": "cart.read", "needs": {"cart": "made"}, "if": {"value": "{{tenant}}", "equals": "a"}}],
             "cleanup": [{"endpoint": "cart.add", "forEach": "{{add.line}}", "with": {"id": "{{item}}", "sku": "a"}}]}
            """)
        #expect(lines(mistake.workspace.validate().diagnostics) == [])
    }

    private static func scenario(_ name: String, _ text: MarkedText, _ told: Told...) -> Mistake {
        Mistake(name, files: files(text), told: told)
    }

    private static func files(_ text: MarkedText) -> [(String, MarkedText)] {
        [
            (
                "endpoints/cart.json",
                """
                {"endpoints": {
                  "create": {"method": "POST", "path": "/cart", "capture": {"id": {"json": "$.id"}}},
                  "add": {"method": "POST", "path": "/cart/{{id}}/{{sku}}",
                    "params": {"id": {"type": "integer"}, "sku": {"type": "string"}}},
                  "read": {"path": "/cart/{{cart.id}}", "needs": {"cart": "cart.create"}}}}
                """
            ),
            ("environments/development.json", #"{"variables": {"tenant": "acme"}}"#), ("scenarios/a.json", text),
        ]
    }

    private static let endsInBrackets =
        "expected a name in quotes, an index, a slice, \"*\" or a filter, found the end of the path"

    private static let mistakes: [Mistake] = [
        scenario(
            "an endpoint that doesn't exist", #"{"steps": [{"name": "a", "endpoint": ⟦"cart.creat"⟧}]}"#,
            .error(.endpointUnknown, #"there is no endpoint "cart.creat""#, hint: #"did you mean "cart.create"?"#)),
        scenario(
            "params that the endpoint lacks, and one that it needs",
            #"{"steps": [{"name": "a", "endpoint": ⟦"cart.add"⟧, "with": {⟦"skuu"⟧: "tea", "id": ⟦"x"⟧}}]}"#,
            .error(.parameterMissing, #"cart.add needs the param "sku""#, hint: #"give the param in "with""#),
            .error(.parameterUnknown, #"cart.add has no param "skuu""#, hint: #"did you mean "sku"?"#),
            .error(.typeMismatch, #"the param "id" takes a whole number; found "x""#)),
        scenario(
            "a capture of a later step, and of the step itself",
            """
            {"steps": [
              {"name": "a", "endpoint": "cart.add", "with": {"id": "⟦{{made.id}}⟧", "sku": "⟦{{a.id}}⟧"}},
              {"name": "made", "endpoint": "cart.create"}]}
            """,
            .error(
                .captureTooLate, #"the step "made" has not run when this value is needed"#,
                hint: "a step can only use captures of earlier steps"),
            .error(
                .captureTooLate, #"the step "a" has not run when this value is needed"#,
                hint: "a step can only use captures of earlier steps")),
        scenario(
            "steps and captures that are nowhere",
            """
            {"steps": [{"name": "made", "endpoint": "cart.create"},
              {"name": "a", "endpoint": "cart.add", "with": {"id": "⟦{{mode.id}}⟧", "sku": "⟦{{made.idd}}⟧"},
               "if": {"value": "⟦{{tenat}}⟧", "equals": 1}}]}
            """,
            .error(.captureUnknown, #"no earlier step is called "mode""#, hint: #"did you mean "made"?"#),
            .error(.captureUnknown, #"the step "made" has no capture "idd""#, hint: #"did you mean "id"?"#),
            .error(
                .valueUnresolved, #""{{tenat}}" is neither a param nor a variable of any environment"#,
                hint: #"did you mean "tenant"?"#)),
        scenario(
            "two steps of one name",
            #"{"steps": [{"name": ⟦"a"⟧, "endpoint": "cart.create"}, {"name": ⟦"a"⟧, "endpoint": "cart.create"}]}"#,
            .error(
                .keyDuplicate, #"two steps have the name "a""#,
                hint: "give each step its own name: later steps refer to steps by name", marker: 1),
            .note("the other step is here", marker: 0)),
        scenario(
            "the position of an element outside of a loop",
            #"{"steps": [{"name": "a", "endpoint": "cart.add", "with": {"id": 1, "sku": "⟦{{$index}}⟧"}}]}"#,
            .error(.valueUnresolved, #""{{$index}}" has a value only in a step with "forEach""#)),
        scenario(
            "a loop over nothing, and over a file that is missing",
            """
            {"steps": [{"name": "a", "endpoint": "cart.create", "forEach": ⟦[]⟧},
              {"name": "b", "endpoint": "cart.create", "forEach": ⟦"rows.csv"⟧},
              {"name": "c", "endpoint": "cart.create", "forEach": [], "orNone": true}]}
            """,
            .error(.valueInvalid, "the list of \"forEach\" is empty", hint: #"add an element, or "orNone": true"#),
            .error(
                .fileMissing, #"there is no file "rows.csv""#, hint: "paths are relative to the workspace's root")),
        scenario(
            "an element called like a step",
            #"{"steps": [{"name": ⟦"a"⟧, "endpoint": "cart.create", "forEach": [1], "as": ⟦"a"⟧}]}"#,
            .error(
                .keyConflict, #"the element of "forEach" and a step both have the name "a""#,
                hint: #"give the element another name with "as""#, marker: 1),
            .note("the step is here", marker: 0)),
        scenario(
            "needs that the endpoint lacks, and that a step can't meet",
            """
            {"steps": [{"name": "first", "endpoint": "cart.read", "needs": {⟦"cat"⟧: "first"}},
              {"name": "plain", "endpoint": "cart.add", "with": {"id": 1, "sku": "a"}},
              {"name": "b", "endpoint": "cart.read", "needs": {"cart": ⟦"plain"⟧}},
              {"name": "c", "endpoint": "cart.read", "needs": {"cart": ⟦"plian"⟧}}]}
            """,
            .error(.captureUnknown, #"cart.read has no need "cat""#, hint: #"did you mean "cart"?"#),
            .error(
                .captureUnknown, #"cart.read uses {{cart.id}}, but the step "plain" has no capture "id""#,
                hint: #"add it to the "capture" of that step"#),
            .error(.captureUnknown, #"no earlier step is called "plian""#, hint: #"did you mean "plain"?"#)),
        scenario(
            "a snapshot", #"{"steps": [{"name": "a", "endpoint": "cart.create", "expect": {"snapshot": ⟦true⟧}}]}"#,
            .error(
                .keyConflict, "a step of a scenario cannot have a snapshot",
                hint: #"expect values with "json" or "schema""#)),
        scenario(
            "grammar in conditions and captures",
            #"{"steps": [{"name": "a", "endpoint": "cart.create", "expect": {"json": {"$.a[⟦⟧": 1}}, "capture": {"x": {"json": "$.b[⟦⟧"}}}]}"#,
            .error(.jsonPathSyntax, Self.endsInBrackets), .error(.jsonPathSyntax, Self.endsInBrackets)),
        scenario(
            "a param that nothing uses",
            #"{"params": {⟦"name"⟧: {"type": "string"}}, "steps": [{"name": "a", "endpoint": "cart.create"}]}"#,
            .warning(.parameterUnused, #"nothing uses the param "name""#, hint: "use it as {{name}}, or remove it")),
        Mistake(
            "two files of one scenario",
            [
                "endpoints/a.json": "{}", "environments/development.json": "{}",
                "scenarios/a.json": #"{"steps": [{"name": "a", "endpoint": "a"}]}"#,
                "scenarios/a.jsonc": #"{"steps": [{"name": "a", "endpoint": "a"}]}"#,
            ],
            .error(
                .idClash, #"the scenario "a" is defined twice: in scenarios/a.json and in scenarios/a.jsonc"#,
                hint: "keep one of the two files", file: "scenarios/a.jsonc")),
    ]
}
