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
      text: `${entry.querySelector(".note").textContent}. ${textOf(entry.querySelector("dd"))}`,
      // The note of an error code begins with its status.
      note: entry.querySelector(".note").textContent,
      rank: 1,
    })),
  ].map((entry) => ({
    ...entry,
    low: entry.name.toLowerCase().replaceAll("_", " "),
    body: `${entry.place} ${entry.text}`.toLowerCase(),
  }));
  return index;
}

// Without what stands in nested articles, forms and code, and without the headline, which is the name.
const OTHERS = "article, details, pre, .code, h2, h3, .endpoint, .as-markdown";
function textOf(element) {
  return [...element.childNodes]
    .map((node) => (node.nodeType === 3 ? node.data : node.matches(OTHERS) ? "" : textOf(node)))
    .join(" ")
    .replace(/\s+([.,:;)]|$)/g, "$1")
    .replace(/\s+/g, " ");
}

function find(query) {
  const words = query.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
  const found = ranked(words);
  return found.length > 0 ? { words, found } : { words: words.map(nearest), found: ranked(words.map(nearest)) };
}

// The word of the page, or else the beginning of one, that differs in one letter, left out, added, changed or swapped; else
// the word itself.
function nearest(word) {
  if (word.length < 4) return word;
  known ??= new Set(entries().flatMap(({ low, body }) => `${low} ${body}`.match(/[a-z0-9]{3,}/g) ?? []));
  if (known.has(word)) return word;
  const beginnings = [1, 0, -1].flatMap((more) => [...known].map((other) => other.slice(0, word.length + more)));
  return [...known, ...beginnings].find((other) => isSlip(word, other)) ?? word;
}
let known;

function isSlip(typed, word) {
  if (Math.abs(typed.length - word.length) > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const rests = [typed.slice(at + 1), typed.slice(at)];
  const swapped = typed[at + 1] + typed[at] + typed.slice(at + 2);
  return rests.includes(word.slice(at + 1)) || rests[0] === word.slice(at) || swapped === word.slice(at);
}

function ranked(words) {
  if (words.length === 0) return [];
  const weigh = ({ low, body, place, rank, note = "" }) => {
    let sum = rank / 10;
    for (const word of words) {
      if (low.startsWith(word)) sum += 6;
      else if (low.includes(` ${word}`)) sum += 4;
      else if (low.includes(word)) sum += 3;
      else if (note.startsWith(word)) sum += 3;
      else if (rank === 2 && place.includes(word)) sum += 2;
      else if (body.includes(word)) sum += 1;
      else return 0;
    }
    const phrase = words.join(" ");
    // A section that speaks of several words together explains them.
    if (rank === 2 && words.length > 1 && body.includes(phrase)) sum += 12;
    return low === phrase ? sum + 5 : sum;
  };
  return entries()
    .map((entry) => ({ entry, weight: weigh(entry) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

// The text around the words, or around the first of them where they stand apart.
function excerpt(text, words) {
  const low = text.toLowerCase();
  const together = low.indexOf(words.join(" "));
  const first = () => Math.min(...words.map((word) => low.indexOf(word)).filter((place) => place >= 0));
  const at = together < 0 ? first() : together;
  if (at === Number.POSITIVE_INFINITY) return "";
  const start = at < 40 ? 0 : low.indexOf(" ", at - 40) + 1;
  return `${start > 0 ? "…" : ""}${text.slice(start, start + 90).trim()}${start + 90 < text.length ? "…" : ""}`;
}

function show() {
  const { words, found } = find(input.value);
  list.replaceChildren(
    ...found.map(({ id, name, place, text }) => {
      const link = document.createElement("a");
      link.href = `#${id}`;
      const where = document.createElement("span");
      where.textContent = place;
      link.append(name, where);
      const around = excerpt(text.trim(), words);
      if (around) {
        const context = document.createElement("small");
        context.textContent = around;
        link.append(context);
      }
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
