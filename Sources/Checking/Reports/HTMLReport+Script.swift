extension HTMLReport {
    /// Filters the entries by verdict and words, and opens the entry that the URL's fragment names.
    static let script = """

        (function () {
          "use strict";
          var form = document.getElementById("filter");
          var cases = Array.prototype.slice.call(document.querySelectorAll("#cases .case"));
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
            form.querySelector("#shown").textContent = shown + " of " + cases.length + " shown";
          }
          function openTarget() {
            var target = location.hash && document.getElementById(location.hash.slice(1));
            if (!target || target.tagName !== "DETAILS") { return; }
            target.hidden = false;
            target.open = true;
            target.scrollIntoView();
            target.querySelector("summary").focus({ preventScroll: true });
          }
          if (form) {
            form.hidden = false;
            form.addEventListener("input", apply);
            form.addEventListener("submit", function (event) { event.preventDefault(); });
            apply();
          }
          window.addEventListener("hashchange", openTarget);
          openTarget();
        })();

        """
}
