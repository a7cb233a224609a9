import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension PostmanRequestReader {
    mutating func readResponses(_ responses: [JSONValue]) {
        var saved = SavedResponses()
        for response in responses where response.kind == .object {
            guard let status = response["code"]?.number?.int ?? (response["code"]?.string).flatMap({ Int($0) }),
                (100...599).contains(status)
            else {
                noteLost(response, "a saved response has no status")
                continue
            }
            let headers = response.list("header").map { header in
                (name: header["key"]?.string ?? "", value: header["value"]?.scalarText ?? "")
            }
            saved.add(
                response["name"]?.string ?? "", status: status, headers: headers, text: response["body"]?.string ?? "")
        }
        request.variants += saved.variants
    }
}
