import ReqcliText

extension PostmanRequestReader {
    mutating func readResponses() {
        var saved = SavedResponses()
        for response in source.responses {
            guard let status = response.status, (100...599).contains(status) else {
                noteLost(response.place, "a saved response has no status")
                continue
            }
            saved.add(response.name, status: status, headers: response.headers, text: response.text)
        }
        request.variants += saved.variants
    }
}
