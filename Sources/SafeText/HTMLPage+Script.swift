extension HTMLPage {
  /// Adds a search field for the tables, and a button that copies the command.
  static let script = """

    (() => {
      const field = document.querySelector("#find");
      const lines = [...document.querySelectorAll("tr[data-find]")];
      const found = document.querySelector("#found");
      const find = () => {
        const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
        let count = 0;
        for (const line of lines) {
          const text = line.textContent.toLowerCase();
          line.hidden = !words.every((word) => text.includes(word));
          if (!line.hidden) count += 1;
        }
        for (const fold of document.querySelectorAll("details")) {
          const own = [...fold.querySelectorAll("tr[data-find]")];
          if (words.length && own.some((line) => !line.hidden)) fold.open = true;
        }
        for (const part of document.querySelectorAll("section, details")) {
          const own = [...part.querySelectorAll("tr[data-find]")];
          part.hidden = words.length > 0 && !own.some((line) => !line.hidden);
        }
        for (const part of document.querySelectorAll(".warning")) {
          part.hidden = words.length > 0 && !part.querySelector("tr[data-find]:not([hidden])");
        }
        const none = "nothing found";
        found.textContent = !words.length ? "" : count ? `${count} of ${lines.length} rows` : none;
      };
      if (lines.length) {
        document.querySelector("#search").hidden = false;
        field.addEventListener("input", find);
      }
      const copy = document.querySelector("#copy");
      if (copy && navigator.clipboard) {
        copy.hidden = false;
        copy.addEventListener("click", async () => {
          await navigator.clipboard.writeText(document.querySelector("#command").textContent);
          copy.textContent = "copied";
        });
      }
      document.documentElement.dataset.script = "on";
    })();

    """
}
