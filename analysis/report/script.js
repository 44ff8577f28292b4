"use strict";
// Sorting, filters and points. Text reaches the page only as textContent, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const names = data.columns.map((column) => column.name);
  const SVG = "http://www.w3.org/2000/svg";
  const COLOURS = ["domain", "data", "model", "task", "experiment"];

  function make(tag, attributes = {}, ...children) {
    const svg = ["svg", "circle", "line", "text", "g"].includes(tag);
    const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // Tables: a click on a heading sorts; numbers by size, empty cells last.
  function sortable(table) {
    const headings = [...table.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = make("button", { type: "button" }, heading.textContent);
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.rows].slice(1);
        rows.sort((a, b) => compare(a.cells[column], b.cells[column], down ? -1 : 1));
        rows[0]?.parentNode.append(...rows);
      });
    });
  }

  function compare(a, b, sign) {
    const [s, t] = [a.textContent, b.textContent];
    if (!s || !t) return (s ? 0 : 1) - (t ? 0 : 1);
    const [x, y] = [parseFloat(s), parseFloat(t)];
    return sign * (isNaN(x) || isNaN(y) ? s.localeCompare(t) : x - y);
  }

  // What a run tells of itself, shown on hover and, in full, on click.
  function facts(run, extra = []) {
    const list = make("dl");
    const settings = Object.entries(run.settings).map(([name, value]) => [name, value ?? "none"]);
    const rows = [["run", run.key], ...extra, ...settings, ["made by", run.command ?? "unknown"]];
    if (run.standin) rows.splice(1, 0, ["data", "stand-in: generated images"]);
    for (const [name, value] of rows) {
      list.append(make("dt", {}, name), make("dd", {}, String(value)));
    }
    return list;
  }

  function card(run) {
    const known = names.map((name, i) => [name, run.values[i]]).filter(([, v]) => v !== null);
    return [facts(run, [["folder", run.path], ["status", run.status]]),
      make("details", {}, make("summary", {}, "all its numbers"),
        make("pre", {}, known.map(([name, v]) => `${name} = ${v}`).join("\n")))];
  }

  function choice(label, options, chosen, titles = options) {
    const select = make("select", { "aria-label": label });
    options.forEach((option, i) => select.append(make("option", { value: option }, titles[i])));
    select.value = chosen;
    return [make("label", {}, label, select), select];
  }

  function tick(label, checked) {
    const box = make("input", { type: "checkbox", "aria-label": label });
    box.checked = checked;
    return [make("label", { class: "tick" }, box, label), box];
  }

  // Axes
  function scale(values, log, from, to) {
    const of = log ? Math.log10 : (v) => v;
    let [low, high] = [of(Math.min(...values)), of(Math.max(...values))];
    if (low === high) [low, high] = [low - 0.5, high + 0.5];
    const [start, end] = [low - 0.05 * (high - low), high + 0.05 * (high - low)];
    const at = (v) => from + ((of(v) - start) / (end - start)) * (to - from);
    return { at, ticks: log ? decades(start, end) : steps(start, end) };
  }

  function steps(start, end) {
    const rough = (end - start) / 5;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find((m) => m * unit >= rough);
    const ticks = [];
    for (let i = Math.ceil(start / step); i * step <= end; i++) ticks.push(i * step);
    return ticks;
  }

  function decades(start, end) {
    const ticks = [];
    const marks = end - start < 1.5 ? [1, 2, 3, 5] : end - start < 4 ? [1, 3] : [1];
    for (let d = Math.floor(start); d <= end; d++) {
      const inside = (v) => Math.log10(v) >= start && Math.log10(v) <= end;
      ticks.push(...marks.map((m) => m * 10 ** d).filter(inside));
    }
    return ticks.length > 1 ? ticks : steps(start, end).map((e) => 10 ** e);
  }

  const number = (value) => String(Number(value.toPrecision(3)));
  const spread = (values) => Math.min(...values) > 0
    && Math.max(...values) > 30 * Math.min(...values);

  // Points of some runs: any number against any other.
  function scatter(place, runsOf, x, y) {
    const [xLabel, xs] = choice("across", names, x, data.columns.map((c) => c.title));
    const [yLabel, ys] = choice("up", names, y, data.columns.map((c) => c.title));
    const [colourLabel, colours] = choice("colour", COLOURS, "data");
    const [xLogLabel, xLog] = tick("log across", false);
    const [yLogLabel, yLog] = tick("log up", false);
    const plot = make("div", { class: "plot" });
    const legend = make("div", { class: "legend" });
    const below = make("div", { class: "card", hidden: "" });
    const controls = [xLabel, yLabel, colourLabel, xLogLabel, yLogLabel];
    place.replaceChildren(make("div", { class: "controls" }, ...controls), plot, legend, below);
    const tip = make("div", { class: "tip", hidden: "" });

    function shown() {
      const [i, j] = [names.indexOf(xs.value), names.indexOf(ys.value)];
      const whole = runsOf().filter((run) => run.values[i] !== null && run.values[j] !== null);
      return whole.map((run) => ({ run, x: run.values[i], y: run.values[j] }));
    }

    function draw() {
      const all = shown();
      const points = all.filter((p) => (!xLog.checked || p.x > 0) && (!yLog.checked || p.y > 0));
      const groups = [...new Set(points.map((p) => p.run[colours.value]))].sort();
      const title = `${ys.value} against ${xs.value}`;
      const svg = make("svg", { viewBox: "0 0 640 400", role: "group", "aria-label": title });
      plot.replaceChildren(svg, tip);
      legend.replaceChildren();
      if (!points.length) {
        svg.append(make("text", { x: 40, y: 60 }, "No run here has both numbers."));
        return;
      }
      const across = scale(points.map((p) => p.x), xLog.checked, 70, 625);
      const up = scale(points.map((p) => p.y), yLog.checked, 350, 15);
      for (const t of across.ticks) {
        const x = across.at(t);
        svg.append(make("line", { class: "grid", x1: x, x2: x, y1: 15, y2: 350 }),
          make("text", { x, y: 368, "text-anchor": "middle" }, number(t)));
      }
      for (const t of up.ticks) {
        const y = up.at(t);
        svg.append(make("line", { class: "grid", x1: 70, x2: 625, y1: y, y2: y }),
          make("text", { x: 64, y: y + 4, "text-anchor": "end" }, number(t)));
      }
      const upright = { x: 16, y: 182, "text-anchor": "middle", transform: "rotate(-90 16 182)" };
      svg.append(make("text", { x: 347, y: 392, "text-anchor": "middle" }, xs.value),
        make("text", upright, ys.value));
      for (const point of points) svg.append(dot(point, across, up, groups));
      groups.forEach((group, i) => {
        const mark = make("circle", { class: `c${i % 10}`, cx: 6, cy: 6, r: 5 });
        legend.append(make("span", {}, make("svg", { viewBox: "0 0 12 12" }, mark), group));
      });
      const say = (text) => legend.append(make("span", {}, text));
      if (all.length > points.length) say(`${all.length - points.length} have no logarithm`);
      if (points.some((p) => p.run.standin)) say("hollow: stand-in data");
    }

    function dot({ run, x, y }, across, up, groups) {
      const colour = `c${groups.indexOf(run[colours.value]) % 10}`;
      const kind = run.standin ? `${colour} standin-point` : colour;
      const values = [[xs.value, number(x)], [ys.value, number(y)]];
      const label = `${run.key}: ${values.map((pair) => pair.join(" ")).join(", ")}`;
      const circle = make("circle", { class: kind, cx: across.at(x), cy: up.at(y), r: 5,
        tabindex: 0, role: "button", "aria-label": label });
      const show = () => {
        tip.replaceChildren(facts(run, values));
        tip.hidden = false;
        const [box, own] = [plot.getBoundingClientRect(), circle.getBoundingClientRect()];
        const right = own.left - box.left > box.width / 2;
        tip.style.left = right ? "" : `${own.right - box.left + 6}px`;
        tip.style.right = right ? `${box.right - own.left + 6}px` : "";
        tip.style.top = `${own.bottom - box.top + 4}px`;
      };
      const hide = () => { tip.hidden = true; };
      for (const name of ["pointerenter", "focus"]) circle.addEventListener(name, show);
      for (const name of ["pointerleave", "blur"]) circle.addEventListener(name, hide);
      circle.addEventListener("click", () => pin(run));
      circle.addEventListener("keydown", (event) => { if (event.key === "Enter") pin(run); });
      return circle;
    }

    function pin(run) {
      below.replaceChildren(...card(run));
      below.hidden = false;
    }

    function rescale() {
      const points = shown();
      xLog.checked = points.length > 0 && spread(points.map((p) => p.x));
      yLog.checked = points.length > 0 && spread(points.map((p) => p.y));
      draw();
    }
    for (const select of [xs, ys]) select.addEventListener("change", rescale);
    for (const other of [colours, xLog, yLog]) other.addEventListener("change", draw);
    rescale();
    return { draw, pin };
  }

  const preferred = (wishes, otherwise) => wishes.find((name) => names.includes(name)) ?? otherwise;

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

    const x = preferred(["data/d_mle", "n"], names[0]);
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
      count.textContent = `${kept.size} of ${data.runs.length} runs`;
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
    const [x, y] = [...wanted, ...names.filter((name) => !wanted.includes(name))];
    place.closest("details").addEventListener("toggle", () => {
      if (!place.hasChildNodes() && names.length > 1) scatter(place, () => runs, x, y);
    });
  }

  explorer();
  document.querySelectorAll("table").forEach(sortable);
  document.querySelectorAll(".behind").forEach(behind);
})();
