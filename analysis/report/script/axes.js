// Axes: where a number lies, and which numbers are written beside.
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
