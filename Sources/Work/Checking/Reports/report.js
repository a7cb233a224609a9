(function () {
  "use strict";
  var form = document.getElementById("filter");
  var cases = Array.prototype.slice.call(document.querySelectorAll("#cases .case"));
  var groups = Array.prototype.slice.call(document.querySelectorAll("#cases section"));
  var texts = cases.map(function () { return null; });
  function textOf(index) {
    if (texts[index] === null) { texts[index] = cases[index].textContent.toLowerCase(); }
    return texts[index];
  }
  function apply() {
    var verdicts = {};
    form.querySelectorAll("input[type=checkbox]").forEach(function (box) { verdicts[box.value] = box.checked; });
    var words = form.querySelector("#text").value.toLowerCase().split(" ").filter(Boolean);
    var shown = 0;
    cases.forEach(function (each, index) {
      var isShown = verdicts[each.dataset.verdict] && words.every(function (word) {
        return textOf(index).indexOf(word) >= 0;
      });
      each.hidden = !isShown;
      if (isShown) { shown += 1; }
    });
    groups.forEach(function (group) { group.hidden = !group.querySelector(".case:not([hidden])"); });
    form.querySelector("#shown").textContent = shown + " of " + cases.length + " shown";
  }
  function openTarget() {
    var target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target || target.tagName !== "DETAILS") { return; }
    target.hidden = false;
    if (target.parentElement.tagName === "SECTION") { target.parentElement.hidden = false; }
    target.open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }
  function selectText(element) {
    var range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
  function copy(command, button) {
    function tell(word) {
      button.textContent = word;
      setTimeout(function () { button.textContent = "Copy"; }, 2000);
    }
    function fallBack() {
      selectText(command);
      tell(document.execCommand("copy") ? "Copied" : "Selected");
    }
    if (!navigator.clipboard) { return fallBack(); }
    navigator.clipboard.writeText(command.textContent).then(function () { tell("Copied"); }, fallBack);
  }
  document.querySelectorAll("pre.curl").forEach(function (command) {
    var frame = document.createElement("div");
    var button = document.createElement("button");
    frame.className = "with-copy";
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.title = "Copy the curl command";
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", function () { copy(command, button); });
    command.parentNode.insertBefore(frame, command);
    frame.appendChild(command);
    frame.appendChild(button);
  });
  if (form) {
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    apply();
  }
  window.addEventListener("hashchange", openTarget);
  openTarget();
})();
