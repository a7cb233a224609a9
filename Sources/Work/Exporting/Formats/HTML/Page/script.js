// The search over the titles and headings of all pages. `/` focuses the field; arrows and Enter choose.
(() => {
  const box = document.querySelector("#search");
  const field = box.querySelector("input");
  const list = box.querySelector("ul");
  const root = document.body.dataset.root;
  const most = 12;
  let chosen = -1;

  // Lower is better: a title before a heading, and the beginning of a word before the middle of one. Infinity if a word is missing.
  function rank([heading, page], words) {
    const own = heading.toLowerCase();
    const all = `${own} ${page.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return Infinity;
    const begins = words.filter((word) => ` ${own.replace(/[^\p{L}\p{N}]+/gu, " ")}`.includes(` ${word}`)).length;
    return (own.startsWith(words[0]) ? 0 : 2) + 4 * (words.length - begins) + (page ? 1 : 0);
  }

  function find(text) {
    // A plural finds the singular.
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
    if (words.length === 0) return [];
    return searchIndex.map((entry) => [rank(entry, words), entry]).filter(([value]) => value < Infinity)
      .sort(([one], [other]) => one - other).slice(0, most).map(([, entry]) => entry);
  }

  function item([heading, page, address], index) {
    const line = document.createElement("li");
    const link = document.createElement("a");
    line.id = `found-${index}`;
    line.setAttribute("role", "option");
    link.href = root + address;
    link.tabIndex = -1;
    link.append(heading);
    if (page) {
      const place = document.createElement("small");
      place.append(page);
      link.append(" ", place);
    }
    line.append(link);
    return line;
  }

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    const lines = list.querySelectorAll("[role=option]");
    if (lines.length === 0) return;
    chosen = (index + lines.length) % lines.length;
    lines.forEach((line, each) => line.setAttribute("aria-selected", String(each === chosen)));
    lines[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", lines[chosen].id);
  }

  function show() {
    const found = find(field.value);
    close();
    list.replaceChildren(...found.map(item));
    if (field.value.trim() === "") return;
    if (found.length === 0) {
      const line = document.createElement("li");
      line.className = "none";
      line.append("No title has these words.");
      list.append(line);
    }
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    choose(0);
  }

  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") list.querySelector("[aria-selected=true] a")?.click();
    else if (event.key === "Escape") field.blur();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", () => field.blur());
  // Keeps the focus in the field while an entry is clicked, because the list disappears with the focus.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  field.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  box.hidden = false;

  // The list of all pages may be longer than the window: shows where the current page is.
  const pages = document.querySelector("nav.pages");
  const current = pages.querySelector("[aria-current]");
  if (current && pages.scrollHeight > pages.clientHeight) {
    pages.scrollTop = current.offsetTop - pages.offsetTop - pages.clientHeight / 2;
  }
})();
