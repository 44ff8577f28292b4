// The table of runs, its filters, and the points of what they leave.
function explorer() {
  const rows = [...document.querySelectorAll("#run-table tr")].slice(1);
  rows.forEach((row) => row.classList.add("row"));
  const texts = data.runs.map((run, i) => {
    const settings = Object.entries(run.settings).map((pair) => pair.join("="));
    const words = [rows[i].textContent, run.command, run.domain, run.task, ...settings];
    return words.join(" ").toLowerCase();
  });
  const search = make("input", { type: "search", placeholder: "words, or a setting: n=500",
    "aria-label": "search" });
  const count = make("span", { class: "count", role: "status" });
  const kept = new Set(data.runs);
  const selects = ["model", "data", "status", "experiment", "chapter"].map((name) => {
    const values = [...new Set(data.runs.map((run) => run[name]))].sort();
    const [label, select] = choice(name, ["", ...values], "", ["all", ...values]);
    return { name, label, select, several: values.length > 1 };
  });
  const bar = make("div", { class: "controls" }, make("label", {}, "search", search));
  for (const one of selects) if (one.several) bar.append(one.label);
  document.getElementById("filters").append(bar, count);

  const sets = new Set(data.runs.map((run) => run.data));
  const x = preferred(sets.size > 1 ? ["data/d_mle", "n"] : ["n"], names[0]);
  const y = preferred(["test/loss", "data/k_f_rms"], names[1]);
  const place = document.getElementById("explorer");
  const plot = names.length > 1 ? scatter(place, () => [...kept], x, y) : null;

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    kept.clear();
    data.runs.forEach((run, i) => {
      const chosen = ({ name, select }) => !select.value || run[name] === select.value;
      const keep = selects.every(chosen) && words.every((word) => texts[i].includes(word));
      rows[i].hidden = !keep;
      if (keep) kept.add(run);
    });
    count.textContent = `${kept.size} of ${data.runs.length} run${data.runs.length === 1 ? "" : "s"}`;
    plot?.draw();
  }
  search.addEventListener("input", filter);
  for (const { select } of selects) select.addEventListener("change", filter);
  rows.forEach((row, i) => row.addEventListener("click", () => {
    rows.forEach((other) => other.classList.toggle("chosen", other === row));
    plot?.pin(data.runs[i]);
  }));
  filter();
}

// Behind a figure: the runs it was drawn from, over the quantities it needs; drawn when opened.
function behind(place) {
  const runs = data.selections[place.dataset.selection].map((i) => data.runs[i]);
  const wanted = place.dataset.axes.split(" ").filter((name) => names.includes(name));
  if (wanted.length < 2) wanted.unshift(data.swept[0] ?? "n");
  const [x, y] = [...wanted, ...names.filter((name) => !wanted.includes(name))];
  place.closest("details").addEventListener("toggle", () => {
    if (!place.hasChildNodes() && names.length > 1) scatter(place, () => runs, x, y);
  });
}

explorer();
document.querySelectorAll("table").forEach(sortable);
document.querySelectorAll(".behind").forEach(behind);
