// Without this script every choice is sent by a button. With it the price follows each choice at once, what was typed
// outlives a lost connection, a form is sent only once, and a frame around the page grows with it.
const one = (selector, part = document) => part.querySelector(selector);
const choices = () => one("#choose");
const configurator = () => one(".configurator");
const trouble = one("#trouble");
/** The field that makes a form sent twice count once. */
const attemptIn = (part) => one('.details [name$="_request_id"]', part);
/** What was typed or ticked that is no choice. */
const TYPED = ["#choose .details", "form[method=post]:not(#choose)"]
  .map((part) => `${part} :is(input:not([type=hidden]), textarea)`)
  .join();
/** Quick choices in a row make one request. */
const PAUSE_MS = 120;
const LONGEST_MS = 15_000;
const TOO_MANY = 429;

/** The request whose answer is awaited. */
let asked;
let timer;
/** Asks again for what was not answered. */
let askAgain;
/** By id: parts of the page come and go, and this stays. */
const typed = new Map();

/** @param after `part` stays open, `target` is shown */
function update(query, after = {}, pause = PAUSE_MS) {
  clearTimeout(timer);
  asked?.abort();
  asked = undefined;
  configurator().dataset.waiting = "";
  timer = setTimeout(() => ask(query, after), pause);
}

/** Asks for the page with these choices and puts its parts in place of the old ones. */
async function ask(query, after) {
  const mine = new AbortController();
  asked = mine;
  const url = `${new URL(choices().action).pathname}?${query}`;
  const slow = setTimeout(() => mine.abort(), LONGEST_MS);
  let answer;
  try {
    answer = await fetch(url, { signal: mine.signal });
    const next = answer.ok && parsed(await answer.text());
    if (asked !== mine) return;
    if (!next) throw new Error(String(answer.status));
    // The form counts on as the same attempt.
    const [before, now] = [attemptIn(configurator()), attemptIn(next)];
    if (before && now) now.value = before.value;
    put(next, after);
    history.replaceState({ attempt: attemptIn(document)?.value }, "", url);
    keepPrice();
    say();
  } catch {
    if (asked !== mine) return;
    const again = () => update(query, after, 0);
    report(!answer ? "offline" : answer.status === TOO_MANY ? "busy" : "failed", again);
    const seconds = Number(answer?.headers.get("retry-after"));
    if (seconds) timer = setTimeout(again, seconds * 1000);
  } finally {
    clearTimeout(slow);
  }
}

const parsed = (text) => one(".configurator", new DOMParser().parseFromString(text, "text/html"));

/** Says what went wrong; everything stays as it is. @param again may repair it */
function report(what, again) {
  askAgain = again;
  one("span", trouble).textContent = trouble.dataset[what];
  one("button", trouble).hidden = !again;
  // A frame is as high as its page, so its lower edge may be out of sight.
  if (parent !== window) (document.activeElement?.closest(".part, .details") ?? configurator()).after(trouble);
  trouble.hidden = false;
}

function quiet() {
  askAgain = undefined;
  trouble.hidden = true;
}

addEventListener("online", () => askAgain?.());
trouble?.addEventListener("click", ({ target }) => target.localName === "button" && askAgain?.());

function put(next, { part, target }) {
  const old = configurator();
  const { activeElement: active } = document;
  const top = active?.getBoundingClientRect().top;
  keepTyped(old, next);
  keepGlass(old, next);
  keepLooks(old, next, target);
  const opened = part && one(`details#${part}`, next);
  if (opened) opened.open = true;
  old.replaceWith(next);
  quiet();
  prepare();
  const same = document.getElementById(active?.id || (active?.name ? `${part}-title` : ""));
  const folded = same?.closest("details:not([open])");
  (folded ? one("summary", folded) : same)?.focus({ preventScroll: true });
  // What was clicked stays under the pointer, whatever folds above it.
  if (active?.id && same && !folded) scrollBy(0, same.getBoundingClientRect().top - top);
  else folded?.scrollIntoView({ block: "nearest" });
  if (target) go(target);
}

function keepTyped(old, next) {
  for (const { id, type, checked, value } of old.querySelectorAll(TYPED))
    if (id) typed.set(id, { type, checked, value });
  for (const [id, { type, checked, value }] of typed) {
    const same = one(`[id="${id}"]`, next);
    if (!same) continue;
    if (["checkbox", "radio"].includes(type)) same.checked = checked;
    else same.value = value;
  }
  // Typing goes on while the answer is on its way.
  const { activeElement: typing } = document;
  const isTyping = typing?.form === choices() && typing.inputMode && typing.value !== typing.defaultValue;
  const same = isTyping && one(`#${typing.id}`, next);
  if (same) same.value = typing.value;
  const opened = new Set(
    [...old.querySelectorAll("details:not(.part)[open] > summary")].map((each) => each.textContent),
  );
  for (const each of next.querySelectorAll("summary")) if (opened.has(each.textContent)) each.parentElement.open = true;
}

/** The new glass starts as dark as the old, so that the change can be seen. */
function keepGlass(old, next) {
  for (const pane of next.querySelectorAll("[data-glass]")) {
    const before = one(`[data-glass="${pane.dataset.glass}"]`, old)?.getAttribute("fill-opacity");
    const after = pane.getAttribute("fill-opacity");
    if (!before || before === after) continue;
    pane.setAttribute("fill-opacity", before);
    requestAnimationFrame(() => requestAnimationFrame(() => pane.setAttribute("fill-opacity", after)));
  }
}

/** The color of the picture and, unless another one was asked for, the day that was looked at. */
function keepLooks(old, next, target) {
  for (const { id } of old.querySelectorAll(target ? ".paints :checked" : ".paints :checked, .days :checked")) {
    const same = one(`#${id}`, next);
    if (same) same.checked = true;
  }
}

function say() {
  const [what, total] = [".tag .what", ".tag .total"].map((part) => one(part)?.textContent ?? "");
  // A time that the work no longer fits into, a price that is no longer kept.
  const told = [...document.querySelectorAll(".configurator .notice[role=status]")].map((each) => each.textContent);
  one("#said").textContent = [`${what}: ${total}`, ...told].join(". ");
}

function go(target) {
  const place = one(target);
  place?.scrollIntoView({ block: "start" });
  one(`${target} h2[tabindex]`)?.focus({ preventScroll: true });
  tell(place);
}

/** The choices, which stand in an address; what was typed about a person does not. */
function queryOf(form, button) {
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  for (const { name } of form.querySelectorAll(".details [name]")) if (name !== button?.name) data.delete(name);
  // An empty field among several of its name keeps the place of its row.
  const pairs = [...data].filter(([name, value]) => value !== "" || data.getAll(name).length > 1);
  return new URLSearchParams(pairs).toString();
}

addEventListener("change", ({ target }) => {
  if (!target.form || target.form !== choices() || target.closest(".details")) return;
  const part = target.closest(".part")?.id;
  // The first question is done with a click. Who answers it with the keyboard may not have reached the answer.
  const isDone = part === "vehicle" && !one("#price") && !target.matches(":focus-visible");
  update(queryOf(target.form), { part: isDone ? undefined : part });
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id === "choose" && configurator()) {
    event.preventDefault();
    const act = one(".act", form);
    if (submitter?.matches(".act")) return send(form, submitter);
    // Enter in a field presses the first button of the form.
    if (act && document.activeElement?.closest(".details") && !submitter.name) return send(form, act);
    if (submitter?.matches(".slot")) press(submitter);
    const isPart = submitter?.name && !submitter.closest(".verdict");
    const target =
      isPart && (submitter.getAttribute("formaction") ?? form.getAttribute("action")).replace(/^[^#]*/, "");
    update(queryOf(form, submitter), { part: submitter?.closest(".part")?.id, target }, 0);
    return;
  }
  if (form.method !== "post") return;
  // A second click would only get the first answer again; it need not be sent.
  if (form.dataset.sent) return event.preventDefault();
  const attempt = attemptIn(form)?.value;
  if (attempt) history.replaceState({ attempt }, "");
  busy(form, submitter);
});

function press(slot) {
  for (const other of document.querySelectorAll(".slot[aria-pressed]")) other.removeAttribute("aria-pressed");
  slot.setAttribute("aria-pressed", "true");
}

/** Books. Where the answer does not come, nothing is lost: sent again, it is booked only once. */
async function send(form, button) {
  if (configurator().dataset.waiting !== undefined) return askAgain ? askAgain() : report("waiting");
  if (form.dataset.sent || !form.reportValidity()) return;
  // Another tab may have booked since this one was opened.
  prepare();
  const body = new URLSearchParams(new FormData(form));
  body.set(button.name, button.value);
  const id = attemptIn(form)?.value;
  if (id !== kept().id) keep({ id });
  quiet();
  busy(form, button);
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    if (answer.ok && answer.redirected) {
      keep({ id, code: /booked\/(\w+)/.exec(answer.url)?.[1] });
      location.assign(answer.url);
      return;
    }
    const next = parsed(await answer.text());
    if (!next) throw new Error(String(answer.status));
    put(next, {});
    (one("#problem") ?? one("#details"))?.scrollIntoView({ block: "center" });
    one("[aria-invalid]")?.focus();
  } catch {
    free();
    report("unsent", () => form.requestSubmit(button));
  }
}

function busy(form, button) {
  form.dataset.sent = "yes";
  if (!button?.dataset.busy) return;
  button.dataset.text = button.textContent;
  button.textContent = button.dataset.busy;
  button.setAttribute("aria-busy", "true");
}

function free() {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("[aria-busy]")) {
    button.removeAttribute("aria-busy");
    button.textContent = button.dataset.text;
  }
}

// A page that comes back from the browser's memory can be sent again.
addEventListener("pageshow", free);

const ATTEMPT = "tintdesk-attempt";
/** So long after it booked, the browser asks in every tab before it books again. */
const JUST_MS = 600_000;

/**
 * The form that this tab sent, and the booking that it made: it may have gone back to change something. Else what another tab
 * has just booked.
 */
function kept() {
  try {
    const own = JSON.parse(sessionStorage.getItem(ATTEMPT)) ?? {};
    const last = JSON.parse(localStorage.getItem(ATTEMPT)) ?? {};
    return last.code && !own.code && Date.now() - last.at < JUST_MS ? last : own;
  } catch {
    return {};
  }
}

function keep(attempt) {
  try {
    sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
    // What is sent now and not answered yet takes nothing away from what was booked.
    if (attempt.code || !attempt.id) localStorage.setItem(ATTEMPT, JSON.stringify({ ...attempt, at: Date.now() }));
  } catch {
    // A browser that keeps nothing for frames of other sites.
  }
}

/** What the page needs beside its markup, after each change of it. */
function prepare() {
  const attempt = one('.details [name="booking_request_id"]');
  if (one("[data-second]")) keep({});
  const { id, code } = kept();
  if (attempt) {
    attempt.value = id ?? attempt.value;
    // Empty where no script keeps what was booked.
    one('.details [name="booked"]').value = code ?? "none";
  }
  for (const { children } of document.querySelectorAll(".slots")) {
    const slots = [...children];
    const reached = slots.find((slot) => slot.ariaPressed) ?? slots[0];
    for (const slot of slots) slot.tabIndex = slot === reached ? 0 : -1;
  }
}

/** The price that is shown stands in the address, so that a reload or a link finds it again. */
function keepPrice() {
  const url = new URL(location);
  if (!url.search) return;
  for (const name of ["estimate_id", "own"]) {
    const field = one(`#choose [name=${name}]`);
    if (field) url.searchParams.set(name, field.value);
  }
  history.replaceState(history.state, "", url);
}

async function share(link) {
  const [title, url] = [document.title, link.href];
  try {
    if (navigator.share) return await navigator.share({ title, url });
    await navigator.clipboard.writeText(url);
    link.textContent = link.dataset.share;
  } catch (error) {
    if (error.name !== "AbortError") location.assign(url);
  }
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-share], [data-anew]");
  // A link to a new appointment begins anew.
  if (!link?.dataset.share) return link && keep({});
  event.preventDefault();
  share(link);
});

/** As many times stand side by side. */
const COLUMNS = 3;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (!STEPS[key] || !target.matches(".slot")) return;
  const slots = [...target.parentElement.children];
  const next = slots[slots.indexOf(target) + STEPS[key]];
  event.preventDefault();
  if (!next) return;
  target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

/** The glass follows the slider, as dark as `opacityOf` makes it. */
addEventListener("input", ({ target, inputType = "insertReplacementText" }) => {
  // A suggestion was chosen: nobody leaves the field to say so.
  if (target.list && inputType === "insertReplacementText") update(queryOf(target.form));
  if (target.id !== "look") return;
  const opacity = (0.06 + 0.9 * (1 - target.value / 100) ** 1.1).toFixed(2);
  for (const pane of document.querySelectorAll('[data-glass]:not([data-glass="windshield"])'))
    pane.setAttribute("fill-opacity", opacity);
});

/** Tells the page around this one how high it is, which place to show, and once that something was booked; nothing else. */
function tell(place) {
  if (parent === window) return;
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  const top = place ? Math.round(place.getBoundingClientRect().top + scrollY) : null;
  const booked = Boolean(one("[data-booked]")) && !history.state?.told;
  if (booked) history.replaceState({ told: true }, "");
  parent.postMessage({ tintdesk: { height, top, booked } }, "*");
}

if (parent !== window) {
  new ResizeObserver(() => tell()).observe(document.body);
  addEventListener("load", () => tell(one(location.hash || ":not(*)")));
}

// A browser that comes back asks for a new page. The form that it was sent from counts on, so that nothing is booked twice.
const attempt = attemptIn(document);
if (attempt && history.state?.attempt) attempt.value = history.state.attempt;
prepare();
keepPrice();

// On a slow line, choices can be made before this script comes.
document.documentElement.dataset.scripted = "";
const isEarly = ({ checked, defaultChecked, value, defaultValue = value }) =>
  checked !== defaultChecked || value !== defaultValue;
const early = [...(choices()?.elements ?? [])].find((each) => isEarly(each) && !each.closest(".details"));
early?.dispatchEvent(new Event("change", { bubbles: true }));

// The first fault of a refused form. Before the page is whole, the browser goes to the part in its address and takes the focus away.
addEventListener("load", () => one("[aria-invalid]")?.focus());
