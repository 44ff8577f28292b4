// Points of some runs: any number against any other.
function scatter(place, runsOf, x, y) {
  const [xLabel, xs] = choice("x axis", names, x, data.columns.map((c) => c.title));
  const [yLabel, ys] = choice("y axis", names, y, data.columns.map((c) => c.title));
  const [colourLabel, colours] = choice("colour", COLOURS, varied(runsOf()));
  const [xLogLabel, xLog] = tick("log x", false);
  const [yLogLabel, yLog] = tick("log y", false);
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

const varied = (runs) => ["data", "model", "task"].find(
  (name) => new Set(runs.map((run) => run[name])).size > 1) ?? "data";
const preferred = (wishes, otherwise) => wishes.find((name) => names.includes(name)) ?? otherwise;
