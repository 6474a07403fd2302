// Without this script every choice is sent by a button. With it the price follows each choice at once, a form is sent only
// once, and a frame around the page grows with it.
const choices = () => document.querySelector("#choose");

/** The field that makes a form sent twice count once. */
const attemptIn = (part) => part.querySelector('.details [name$="_request_id"]');

let latest = 0;

/** Asks for the page with these choices and puts its parts in place of the old ones; what was typed stays. */
async function update(query, target) {
  const mine = ++latest;
  const { action } = choices();
  const url = `${new URL(action).pathname}?${query}`;
  document.querySelector(".configurator").dataset.waiting = "";
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(String(response.status));
    const next = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".configurator");
    if (mine !== latest) return;
    const old = document.querySelector(".configurator");
    const focused = document.activeElement?.id;
    keepTyped(old, next);
    keepGlass(old, next);
    keepPaint(old, next);
    old.replaceWith(next);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    history.replaceState({ attempt: attemptIn(next)?.value }, "", url);
    say();
    if (target) go(target);
  } catch {
    location.assign(url);
  }
}

function keepTyped(old, next) {
  for (const field of old.querySelectorAll("form[method=post] :is(input:not([type=hidden]), textarea)")) {
    const same = next.querySelector(`#${field.id}`);
    if (!same) continue;
    if (["checkbox", "radio"].includes(field.type)) same.checked = field.checked;
    else same.value = field.value;
  }
  // Typing goes on while the answer is on its way.
  const { activeElement: typing } = document;
  const same = typing?.form === choices() && typing.inputMode && next.querySelector(`#${typing.id}`);
  if (same) same.value = typing.value;
  const opened = new Set([...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  for (const one of next.querySelectorAll("summary")) if (opened.has(one.textContent)) one.parentElement.open = true;
}

/** The new glass starts as dark as the old, so that the change can be seen. */
function keepGlass(old, next) {
  for (const pane of next.querySelectorAll("[data-glass]")) {
    const before = old.querySelector(`[data-glass="${pane.dataset.glass}"]`)?.getAttribute("fill-opacity");
    const after = pane.getAttribute("fill-opacity");
    if (!before || before === after) continue;
    pane.setAttribute("fill-opacity", before);
    requestAnimationFrame(() => requestAnimationFrame(() => pane.setAttribute("fill-opacity", after)));
  }
}

function keepPaint(old, next) {
  const chosen = next.querySelector(`#${old.querySelector(".paints :checked")?.id ?? "none"}`);
  if (chosen) chosen.checked = true;
}

function say() {
  const [what, total] = [".tag .what", ".tag .total"].map((part) => document.querySelector(part)?.textContent ?? "");
  document.querySelector("#said").textContent = `${what}: ${total}`;
}

function go(target) {
  const place = document.querySelector(target);
  place?.scrollIntoView({ block: "start" });
  document.querySelector(`${target} h2[tabindex]`)?.focus({ preventScroll: true });
  tell(place);
}

function queryOf(form, button) {
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  // No field holds the chosen time and the days that are shown.
  for (const [name, value] of new URLSearchParams(location.search))
    if (["start", "from"].includes(name) && !data.has(name)) data.set(name, value);
  // An empty field among several of its name keeps the place of its row.
  const pairs = [...data].filter(([name, value]) => value !== "" || data.getAll(name).length > 1);
  return new URLSearchParams(pairs).toString();
}

addEventListener("change", ({ target }) => {
  if (target.form && target.form === choices()) update(queryOf(target.form));
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id === "choose" && document.querySelector(".configurator")) {
    event.preventDefault();
    const target = new URL(submitter?.formAction || form.action).hash;
    update(queryOf(form, submitter), submitter?.name ? target : "");
    return;
  }
  if (form.method !== "post") return;
  // A second click would only get the first answer again; it need not be sent.
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  if (submitter?.dataset.busy) {
    submitter.dataset.text = submitter.textContent;
    submitter.textContent = submitter.dataset.busy;
    submitter.setAttribute("aria-busy", "true");
  }
});

// A page that comes back from the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("[aria-busy]")) {
    button.removeAttribute("aria-busy");
    button.textContent = button.dataset.text;
  }
});

/** Tells the page around this one how high it is, which place to show, and once that something was booked; nothing else. */
function tell(place) {
  if (parent === window) return;
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  const top = place ? Math.round(place.getBoundingClientRect().top + scrollY) : null;
  const booked = Boolean(document.querySelector("[data-booked]")) && !history.state?.told;
  if (booked) history.replaceState({ told: true }, "");
  parent.postMessage({ tintdesk: { height, top, booked } }, "*");
}

if (parent !== window) {
  new ResizeObserver(() => tell()).observe(document.body);
  addEventListener("load", () => tell(document.querySelector(location.hash || ":not(*)")));
}

// A browser that comes back asks for a new page. The form that it was sent from counts on, so that nothing is booked twice.
const attempt = attemptIn(document);
if (attempt && history.state?.attempt) attempt.value = history.state.attempt;

// The first fault of a refused form. Before the page is whole, the browser goes to the part in its address and takes the focus away.
addEventListener("load", () => document.querySelector("[aria-invalid]")?.focus());
