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
