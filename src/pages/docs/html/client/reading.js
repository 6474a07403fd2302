// Copy buttons, one language for all requests, and the contents that follow the reader.

// Browsers allow writing to the clipboard only over https and on localhost.
for (const button of navigator.clipboard ? document.querySelectorAll(".copy") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const texts = [...button.closest(".code").querySelectorAll("pre code")];
    const shown = texts.find((text) => text.checkVisibility());
    // Of a response whose lists are cut, the whole is copied; not once a real one stands in its place.
    const whole = shown.closest(".panel")?.querySelector("script");
    await navigator.clipboard.writeText(
      whole ? JSON.stringify(JSON.parse(whole.textContent), null, 2) : shown.textContent,
    );
    const label = button.firstChild;
    label.data = "Copied";
    setTimeout(() => {
      label.data = "Copy";
    }, 1500);
  });
}

// A reader of one language reads all requests in it, also tomorrow.
const LANGUAGE = "docs language";
function choose(name) {
  for (const other of document.querySelectorAll(`.always-dark [data-name="${CSS.escape(name)}"]`)) other.checked = true;
}
// Where the browser keeps nothing, the choice holds for this visit.
function remember(name) {
  try {
    localStorage.setItem(LANGUAGE, name);
  } catch {}
}
try {
  choose(localStorage.getItem(LANGUAGE) ?? "");
} catch {}

// The page must not jump under the reader.
document.addEventListener("change", ({ target }) => {
  const { name } = target.dataset ?? {};
  if (target.type !== "radio" || name === undefined || !target.closest(".always-dark")) return;
  const before = target.getBoundingClientRect().top;
  choose(name);
  remember(name);
  scrollBy(0, target.getBoundingClientRect().top - before);
});

const contents = document.querySelector(".contents");
const links = new Map([...contents.querySelectorAll("li a")].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll("h2[id], h3[id]")];
let current;
const seen = new IntersectionObserver(
  () => {
    const heading = headings.findLast((one) => one.getBoundingClientRect().top < innerHeight * 0.35) ?? headings[0];
    const link = links.get(heading.id);
    if (link === current || !link) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    current = link;
    const { top, bottom } = link.getBoundingClientRect();
    const box = contents.getBoundingClientRect();
    if (top < box.top + 40 || bottom > box.bottom - 40) contents.scrollBy(0, top - box.top - box.height / 2);
  },
  { rootMargin: "0px 0px -65% 0px" },
);
for (const heading of headings) seen.observe(heading);

// On a narrow screen the contents cover the page, so following a link closes them.
contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
});

// The fields inside a field are folded away; a link to one opens them.
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  if (target?.closest("details")) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
