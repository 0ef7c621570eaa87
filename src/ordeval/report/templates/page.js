"use strict";
// Sort, filter and download the leaderboard; compare two systems; tooltips. Without this script the page is still whole.
(() => {
  const byId = (id) => document.getElementById(id);
  const make = (tag, text = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  // --- the leaderboard ---

  const sortable = (board) => {
    const body = board.tBodies[0];
    const rows = [...body.rows];
    const heads = [...board.tHead.rows[0].cells];
    const compare = (a, b, kind) => (kind === "text" ? (a < b ? -1 : a > b ? 1 : 0) : Number(a) - Number(b));
    const sortBy = (head, down) => {
      const value = (row) => row.cells[head.cellIndex].dataset.value;
      const defined = rows.filter((row) => value(row) !== "");
      const undefinedRows = rows.filter((row) => value(row) === ""); // they are last in either direction
      defined.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b), head.dataset.sort));
      body.append(...defined, ...undefinedRows);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    };
    for (const head of heads) {
      const button = make("button", "", { type: "button", "aria-label": `Sort by ${head.textContent.trim()}` });
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        sortBy(head, now === null ? head.dataset.down === "1" : now === "ascending"); // best first, then the reverse
      });
    }

    const filter = byId("filter");
    const systems = rows.filter((row) => !row.classList.contains("constant"));
    const filterRows = () => {
      const wanted = filter.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.dataset.name.includes(wanted);
      const count = systems.filter((row) => !row.hidden).length;
      byId("matches").textContent = wanted === "" ? "" : `${count} of ${systems.length} systems`;
    };
    filter.addEventListener("input", filterRows);
    filter.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { filter.value = ""; filterRows(); }
    });

    // A table that fits scrolls with the page, and its header stays below the navigation; another scrolls in its frame.
    const frame = board.closest(".frame");
    const fit = () => {
      frame.classList.remove("fits");
      frame.classList.toggle("fits", frame.scrollWidth <= frame.clientWidth + 1);
      frame.style.setProperty("--nav", `${document.querySelector("nav").offsetHeight}px`);
    };
    addEventListener("resize", fit);
    fit();
  };
  const board = byId("board");
  if (board) sortable(board);

  byId("csv")?.addEventListener("click", () => {
    const table = JSON.parse(byId("board-csv").textContent);
    const url = URL.createObjectURL(new Blob(["\ufeff", table], { type: "text/csv;charset=utf-8" }));
    const link = make("a", "", { href: url, download: "leaderboard.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  for (const tools of document.querySelectorAll("#leaderboard .tools")) tools.hidden = false;

  // --- two systems ---

  const fixed = (value, digits = 3, sign = false) => {
    if (value === null || value === undefined) return "–";
    const text = value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
    return sign && Number(text) > 0 ? `+${text}` : text;
  };
  const pValue = (p) => (p === null ? "–" : p < 0.0001 ? "<0.0001" : fixed(p, 4));
  const percent = (share) => `${(100 * share).toFixed(1)}%`;

  const table = (caption, heads, rows) => {
    const made = make("table", "", { class: "plain" });
    made.append(make("caption", caption, { class: "unseen" }));
    const line = made.createTHead().insertRow();
    heads.forEach(([text, numeric]) => line.append(make("th", text, { scope: "col", class: numeric ? "n" : "" })));
    const body = made.createTBody();
    for (const cells of rows) {
      const row = body.insertRow();
      cells.forEach((cell, at) => {
        const own = cell instanceof Node ? cell : at === 0
          ? make("th", cell, { scope: "row" }) : make("td", cell, { class: heads[at][1] ? "n" : "" });
        row.append(own);
      });
    }
    const frame = make("div", "", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${caption}, table` });
    frame.append(made);
    return frame;
  };
  const titled = (title, ...children) => {
    const part = make("div");
    part.append(make("h3", title), ...children);
    return part;
  };

  const twoSystems = (data) => {
    const [first, second] = [byId("first"), byId("second")];
    const n = data.systems.length;
    for (const select of [first, second]) {
      data.systems.forEach((name, at) => select.append(make("option", `${at + 1}. ${name}`, { value: at })));
    }
    second.value = 1;
    const MARKS = { b: " ●", w: " ●", e: " ≈", u: "" };
    const pairOf = (a, b) => { const [low, high] = a < b ? [a, b] : [b, a]; return low * n - (low * (low + 1)) / 2 + high - low - 1; };

    const differences = (a, b) => {
      const [sign, pair] = [a < b ? 1 : -1, pairOf(a, b)];
      return data.measures.map(({ name }, m) => {
        const [value, low, high, p] = data.differences[m].map((part) => part[pair]);
        const turned = (x) => (x === null ? null : sign * x);
        const ends = sign > 0 ? [low, high] : [turned(high), turned(low)];
        const outcome = data.outcomes[m][pair];
        const better = (outcome === "b") === (sign > 0) ? "A" : "B"; // if it is significant
        return { name, a: data.values[m][a], b: data.values[m][b], value: turned(value), ends, p, outcome, better };
      });
    };

    const sentence = (one) => {
      const interval = one.ends[0] === null || !data.intervals ? "" : ` (interval ${fixed(one.ends[0], 4)} to ${fixed(one.ends[1], 4)})`;
      if (one.value === null) return `The difference by ${one.name} is undefined.`;
      const start = `By ${one.name}, A minus B is ${fixed(one.value, 4, true)}${interval}. `;
      if (one.p === null) return `${start}The difference could not be tested.`;
      if (one.outcome === "e") return `${start}That is within the margin of ${data.margin}: the two are equivalent.`;
      const found = one.outcome !== "u" ? `${one.better} is significantly better` : "The difference is not significant";
      return `${start}${found} (p${one.p < 0.0001 ? " < 0.0001" : ` = ${pValue(one.p)}`}${data.corrected ? " after correction" : ""}).`;
    };

    const together = (a, b) => {
      const [both, onlyLow, onlyHigh, same] = data.together.map((part) => part[pairOf(a, b)]);
      const [onlyA, onlyB] = a < b ? [onlyLow, onlyHigh] : [onlyHigh, onlyLow];
      const shares = [["both are right", both], ["only A is right", onlyA], ["only B is right", onlyB], ["both are wrong", Math.max(0, 1 - both - onlyA - onlyB)]];
      const bar = make("div", "", { class: "shares", "aria-hidden": "true" });
      const list = make("ul", "", { class: "facts" });
      shares.forEach(([text, share], at) => {
        const piece = make("span");
        piece.style.width = percent(share);
        bar.append(piece);
        const line = make("li");
        line.append(make("span", "", { class: `key s${at + 1}` }), ` ${percent(share)} ${text}`);
        list.append(line);
      });
      return titled("Where they agree", make("p", `A and B give the same answer to ${percent(same)} of the items.`), bar, list);
    };

    // Counts, or percentage points of the gold class if the systems have items of their own.
    const confusion = (a, b) => {
      const [k, columns] = [data.classes.length, data.classes.length + (data.nothing ? 1 : 0)];
      const share = (system, gold, answer) => {
        const line = data.answers[system].slice(gold * (k + 1), (gold + 1) * (k + 1));
        const unit = data.paired ? 1 : line.reduce((sum, count) => sum + count, 0) / 100;
        return unit === 0 ? 0 : line[answer] / unit;
      };
      const cells = data.classes.map((_, gold) => Array.from({ length: columns }, (__, answer) => share(a, gold, answer) - share(b, gold, answer)));
      const digits = data.paired ? (cells.flat().every(Number.isInteger) ? 0 : 2) : 1;
      const largest = Math.max(1e-9, ...cells.flat().map(Math.abs));
      const rows = cells.map((line, gold) => [data.classes[gold], ...line.map((value, answer) => {
        const cell = make("td", value === 0 ? "0" : fixed(value, digits, true), { class: answer === gold ? "cell right" : "cell" });
        const strength = Math.round((70 * Math.abs(value)) / largest);
        cell.style.background = `color-mix(in srgb, var(--${value < 0 ? "warm" : "heat"}) ${strength}%, var(--paper))`;
        return cell;
      })]);
      const heads = [["gold", false], ...[...data.classes, data.nothing].slice(0, columns).map((name) => [name, true])];
      const unit = data.paired ? "" : " Numbers are percentage points of the gold class, because A and B have different items.";
      return titled("Answers: A minus B", table("Answers, A minus B", heads, rows),
        make("p", `Gold classes in rows, answers in columns; outlined cells are right answers. A positive number means that A gave this answer more often.${unit}`, { class: "note" }));
    };

    const cases = (a, b) => {
      const up = data.measures[0].up;
      const found = data.cases.map((name, at) => ({ name, a: data.by_case[a][at], b: data.by_case[b][at] })).filter((one) => one.a !== null && one.b !== null);
      for (const one of found) one.value = one.a - one.b;
      found.sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
      const ahead = found.filter((one) => (up ? one.value > 0 : one.value < 0)).length;
      const behind = found.filter((one) => (up ? one.value < 0 : one.value > 0)).length;
      return titled("Test cases with the largest difference",
        make("p", `A is better on ${ahead} of ${found.length} test cases, B on ${behind}.`),
        table("Test cases with the largest difference", [["Case", false], ["A", true], ["B", true], ["A minus B", true]],
          found.slice(0, 8).map((one) => [one.name, fixed(one.a), fixed(one.b), fixed(one.value, 3, true)])));
    };

    const notes = () => {
      const said = ["● marks a significant difference."];
      if (data.margin !== null) said.push(`≈ marks two systems that are equivalent: less than ${data.margin} apart.`);
      if (data.corrected && data.intervals) said.push("The intervals are not corrected: one may exclude 0 although the difference is not significant.");
      return said.join(" ");
    };

    const show = () => {
      const [a, b] = [Number(first.value), Number(second.value)];
      const target = byId("versus");
      if (a === b) { target.replaceChildren(make("p", "Choose two different systems.")); return; }
      const found = differences(a, b);
      const parts = make("div", "", { class: "versus" });
      const difference = (one) => {
        const cell = make("td", `${fixed(one.value, 4, true)}${MARKS[one.outcome]}`, { class: "n" });
        if (data.intervals && one.ends[0] !== null) cell.append(make("small", `[${fixed(one.ends[0], 4)}, ${fixed(one.ends[1], 4)}]`));
        return cell;
      };
      parts.append(titled("Scores", table("Scores of A and B",
        [["Measure", false], ["A", true], ["B", true], ["A minus B", true], [data.corrected ? "p after correction" : "p", true]],
        found.map((one) => [one.name, one.a, one.b, difference(one), pValue(one.p)])), make("p", notes(), { class: "note" })));
      if (data.answers) parts.append(confusion(a, b));
      if (data.together) parts.append(together(a, b));
      if (data.cases.length > 1) parts.append(cases(a, b));
      target.replaceChildren(make("p", sentence(found[0]), { class: "headline" }), parts);
    };
    first.addEventListener("change", show);
    second.addEventListener("change", show);
    byId("swap").addEventListener("click", () => { [first.value, second.value] = [second.value, first.value]; show(); });
    show();
    byId("two").hidden = false;
    document.querySelector(".picker").hidden = false;
    document.querySelector('nav a[href="#two"]').parentElement.hidden = false;
  };
  if (byId("two")) twoSystems(JSON.parse(byId("two-data").textContent));

  // --- tooltips: by pointer or touch on a mark, or by the arrow keys in a chart that has the focus ---

  const tip = make("div", "", { id: "tip", role: "status" });
  tip.hidden = true;
  document.body.append(tip);
  let told = null;
  const tell = (mark, x, y) => {
    if (told) told.classList.remove("told");
    told = mark;
    tip.hidden = !mark;
    if (!mark) return;
    mark.classList.add("told");
    tip.textContent = mark.dataset.tip;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`;
    tip.style.top = `${y + 16 + height > innerHeight ? Math.max(4, y - height - 8) : y + 16}px`;
  };
  addEventListener("pointermove", (event) => tell(event.target.closest?.("[data-tip]") ?? null, event.clientX, event.clientY));
  addEventListener("pointerdown", (event) => tell(event.target.closest?.("[data-tip]") ?? null, event.clientX, event.clientY));
  addEventListener("scroll", () => tell(null), { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") tell(null);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const frame = event.target.closest?.("figure > .scroll");
    const marks = step && frame ? [...frame.querySelectorAll("[data-tip]")] : [];
    if (!marks.length) return;
    event.preventDefault();
    const at = marks.indexOf(told);
    const next = marks[at < 0 ? (step > 0 ? 0 : marks.length - 1) : (at + step + marks.length) % marks.length];
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = next.getBoundingClientRect();
    setTimeout(() => tell(next, box.x + box.width / 2, box.y + box.height / 2)); // after the scroll has been heard
  });

  // --- the navigation, links to systems, paper ---

  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-15% 0px -75% 0px" });
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);

  // A link to a system opens its section; on paper all of them are open.
  const reveal = () => {
    const target = location.hash.startsWith("#system-") && byId(location.hash.slice(1));
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
