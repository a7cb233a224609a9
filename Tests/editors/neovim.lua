-- Starts the server for the open file, breaks the file, and writes what Neovim got of the server.
local found = {}
local root = vim.fn.getcwd()
local id = vim.lsp.start_client({ name = "reqcli", cmd = { vim.env.REQCLI, "lsp" }, root_dir = root })
vim.lsp.buf_attach_client(0, id)

local function finish()
  local file = io.open(vim.env.RESULT, "w")
  file:write(vim.fn.json_encode(found))
  file:close()
  vim.cmd("qall!")
end

local function wait(condition) return vim.wait(10000, condition, 20) end

if not wait(function() local client = vim.lsp.get_client_by_id(id) return client and client.initialized end) then
  found.error = "not initialized"
  finish()
end

-- The place after the first placeholder's braces.
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
for number, line in ipairs(lines) do
  local column = line:find("{{", 1, true)
  if column then
    local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = number - 1, character = column + 1 } }
    local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 5000)
    for _, answer in pairs(answers or {}) do
      found.completion = vim.tbl_map(function(item) return item.label end, answer.result.items)
    end
    params.position.character = column + 2
    answers = vim.lsp.buf_request_sync(0, "textDocument/definition", params, 5000)
    for _, answer in pairs(answers or {}) do found.definition = answer.result end
    break
  end
end

vim.api.nvim_buf_set_lines(0, 1, 1, false, { '  "nonsense": 1,' })
wait(function()
  found.problems = vim.tbl_map(function(one) return one.code or one.user_data.lsp.code end, vim.diagnostic.get(0))
  return vim.tbl_contains(found.problems, "key.unknown")
end)
finish()
