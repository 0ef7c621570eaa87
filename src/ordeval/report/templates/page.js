"use strict";
// The leaderboard: sort by a column, filter by name, download. Without this script the page is still complete.
(() => {
  const board = document.getElementById("board");
  const body = board.tBodies[0];
  const rows = [...body.rows];
  const heads = [...board.tHead.rows[0].cells];
  const matches = document.getElementById("matches");
  const filter = document.getElementById("filter");

  const compare = (a, b, kind) => {
    if (kind === "text") return a < b ? -1 : a > b ? 1 : 0;
    return Number(a) - Number(b);
  };

  const sortBy = (head, down) => {
    const at = head.cellIndex;
    const value = (row) => row.cells[at].dataset.value;
    const defined = rows.filter((row) => value(row) !== "");
    const undefinedRows = rows.filter((row) => value(row) === ""); // they are last in either direction
    defined.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b), head.dataset.sort));
    body.append(...defined, ...undefinedRows);
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sortBy(head, now === null ? head.dataset.down === "1" : now === "ascending"); // best first, then the reverse
    });
  }

  const filterRows = () => {
    const wanted = filter.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = !row.dataset.name.includes(wanted);
      if (!row.hidden) count += 1;
    }
    matches.textContent = wanted === "" ? "" : `${count} of ${rows.length} systems`;
  };
  filter.addEventListener("input", filterRows);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { filter.value = ""; filterRows(); }
  });

  document.getElementById("csv").addEventListener("click", () => {
    const table = JSON.parse(document.getElementById("board-csv").textContent);
    const url = URL.createObjectURL(new Blob(["\ufeff", table], { type: "text/csv;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "leaderboard.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  document.querySelector(".tools").hidden = false;

  // A link to a system opens its section; on paper all of them are open.
  const reveal = () => {
    const target = location.hash.startsWith("#system-") && document.getElementById(location.hash.slice(1));
    if (target) target.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();
  const systems = document.querySelectorAll("details.system");
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...systems].filter((one) => !one.open);
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
})();
