// Search over the page. The index is made from the headings, fields and error codes when the reader first searches.
const box = document.querySelector("search");
const input = box.querySelector("input");
const list = box.querySelector("ul");
const status = box.querySelector("[role=status]");
const MOST = 8;
box.hidden = false;

let index;
function entries() {
  index ??= [
    ...[...document.querySelectorAll("h2[id], h3[id]")].map((heading) => {
      const row = heading.closest(".row");
      return {
        id: heading.id,
        name: heading.textContent,
        place: row.querySelector(".endpoint")?.textContent ?? "",
        text: textOf(heading.parentElement),
        rank: 2,
      };
    }),
    ...[...document.querySelectorAll(".entries > div[id]")].map((entry) => ({
      id: entry.id,
      name: entry.querySelector("dt code").textContent,
      place: document.getElementById(entry.closest("[aria-labelledby]").getAttribute("aria-labelledby")).textContent,
      text: textOf(entry.querySelector("dd")),
      rank: 1,
    })),
  ].map((entry) => ({
    ...entry,
    low: entry.name.toLowerCase().replaceAll("_", " "),
    body: `${entry.place} ${entry.text}`.toLowerCase(),
  }));
  return index;
}

// Without what stands in nested articles, forms and code.
function textOf(element) {
  return [...element.childNodes]
    .map((node) => (node.nodeType === 3 ? node.data : node.matches("article, details, pre, .code") ? "" : textOf(node)))
    .join(" ");
}

function find(query) {
  const words = query.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const weigh = ({ low, body, rank }) => {
    let sum = rank / 10;
    for (const word of words) {
      if (low.startsWith(word)) sum += 6;
      else if (low.includes(` ${word}`)) sum += 4;
      else if (low.includes(word)) sum += 3;
      else if (body.includes(word)) sum += 1;
      else return 0;
    }
    return low === words.join(" ") ? sum + 5 : sum;
  };
  return entries()
    .map((entry) => ({ entry, weight: weigh(entry) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function show() {
  const found = find(input.value);
  list.replaceChildren(
    ...found.map(({ id, name, place }) => {
      const link = document.createElement("a");
      link.href = `#${id}`;
      const where = document.createElement("span");
      where.textContent = place;
      link.append(name, where);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  const asked = input.value.trim() !== "";
  if (asked && found.length === 0) {
    const none = document.createElement("li");
    none.textContent = "Nothing on this page.";
    list.append(none);
  }
  list.hidden = !asked;
  status.textContent = asked ? `${found.length} found` : "";
}

function close() {
  list.hidden = true;
}

input.addEventListener("input", show);
input.addEventListener("focus", show);
box.addEventListener("focusout", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) close();
});
list.addEventListener("click", close);
box.addEventListener("keydown", (event) => {
  const stops = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    stops.at(to % stops.length).focus();
  } else if (event.key === "Escape") {
    input.focus();
    close();
  } else if (event.key === "Enter" && at === 0) {
    stops[1]?.click();
  }
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
