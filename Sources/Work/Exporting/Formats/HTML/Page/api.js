
// What only the documentation of a workspace has: buttons that copy commands, and the choice of an environment.
(() => {
  const commands = [...document.querySelectorAll(".command")];

  for (const command of commands) {
    const text = command.querySelector("code");
    if (!text) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.append("Copy");
    button.setAttribute("aria-describedby", command.closest("section").getAttribute("aria-labelledby"));
    button.setAttribute("aria-live", "polite");
    const say = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
    button.addEventListener("click", () => {
      // A page that isn't loaded over HTTPS may have no clipboard: then the user copies the selection.
      const select = () => { getSelection().selectAllChildren(text); say("Selected"); };
      if (!navigator.clipboard) return select();
      navigator.clipboard.writeText(text.textContent).then(() => say("Copied"), select);
    });
    command.append(button);
  }

  const names = [...new Set(commands.map((command) => command.dataset.environment))];
  if (names.length < 2) return;
  const key = "reqcli.environment";
  const label = document.createElement("label");
  const select = document.createElement("select");
  label.className = "choice";
  label.append("Commands for the environment", select);
  select.append(...names.map((name) => new Option(name)));
  // Storage can be forbidden. Then the choice is made on each page.
  try { if (names.includes(localStorage.getItem(key))) select.value = localStorage.getItem(key); } catch {}
  const show = () => {
    for (const command of commands) command.hidden = command.dataset.environment !== select.value;
    try { localStorage.setItem(key, select.value); } catch {}
  };
  select.addEventListener("change", show);
  show();
  document.querySelector("h1").after(label);
})();
