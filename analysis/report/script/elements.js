// The data of the page, and its parts. Text reaches it as textContent only, never as markup.
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

// The facts of a run, shown on hover and, in full, on click.
function facts(run, extra = []) {
  const list = make("dl");
  const others = extra.filter(([name]) => !(name in run.settings));
  const rows = [["run", run.key], ...others, ...Object.entries(run.settings),
    ["made by", run.command ?? "unknown"]];
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
