import Glibc

/// A workspace of many files with 20 endpoints each, gone with this value.
final class GeneratedWorkspace {
    let path: String
    private var files: [String] = []

    init?(files: Int) {
        var template = Array("/tmp/reqcli-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return nil }
        path = String(cString: made)
        mkdir("\(path)/endpoints", 0o777)
        mkdir("\(path)/environments", 0o777)
        write(
            "environments/development.json",
            #"{ "baseURL": "http://localhost:8080", "variables": { "tenant": "acme" } }"#)
        for number in 0..<files { write("endpoints/group\(number).json", Self.group(number)) }
    }

    deinit {
        for file in files { unlink(file) }
        for folder in ["endpoints", "environments", ""] { rmdir("\(path)/\(folder)") }
    }

    private func write(_ name: String, _ text: String) {
        files.append("\(path)/\(name)")
        guard let file = fopen("\(path)/\(name)", "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    private static func group(_ number: Int) -> String {
        let endpoints = (0..<20).map { endpoint($0, of: number) }.joined(separator: ",\n")
        return """
            {
              "description": "Group \(number)",
              "defaults": { "headers": { "X-Tenant": "{{tenant}}" }, "tags": ["group\(number % 10)"] },
              "endpoints": {
            \(endpoints)
              }
            }
            """
    }

    private static func endpoint(_ number: Int, of group: Int) -> String {
        """
            "endpoint\(number)": {
              "description": "Endpoint \(number) of group \(group), which does what such endpoints do",
              "method": "\(["GET", "POST", "PUT", "DELETE"][number % 4])",
              "path": "/api/v1/group\(group)/{{id}}/things/\(number)",
              "params": {
                "id": { "type": "integer", "minimum": 1, "example": \(number + 1), "description": "Which one" },
                "city": { "type": "string", "required": false, "enum": ["Berlin", "San Francisco"] }
              },
              "query": { "city": "{{city}}", "page": 1 },
              "headers": { "X-Trace": "{{$uuid}}" },
              "expect": { "status": 200, "json": { "$.id": { "type": "integer" }, "$.items": { "type": "array" } } },
              "stubs": {
                "default": "standard",
                "variants": {
                  "standard": { "json": { "id": \(number), "items": [1, 2, 3] } },
                  "empty": { "json": { "id": \(number), "items": [] } },
                  "missing": { "status": 404, "expect": "fail" }
                }
              }
            }
        """
    }
}
