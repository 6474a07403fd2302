// The forms that send a request to this origin.
for (const form of document.querySelectorAll(".try form")) {
  const box = form.closest("details");
  box.hidden = false;
  const run = document.querySelector(`.run[form="${CSS.escape(form.id)}"]`);
  run.hidden = false;
  // The form may be closed, and with it what it says.
  form.closest(".examples").querySelector(".answers label").setAttribute("aria-live", "polite");
  // What the form still asks for can be seen.
  run.addEventListener("click", () => {
    if (!form.checkValidity()) box.open = true;
  });
  const rehearsal = form.querySelector(".dry_run input");
  const agreed = form.querySelector(".agreed");
  const ask = () => {
    if (!agreed) return;
    agreed.hidden = rehearsal?.checked === true;
    agreed.querySelector("input").required = !agreed.hidden;
  };
  rehearsal?.addEventListener("change", ask);
  ask();
  form.addEventListener("input", () => follow(form, rehearsal?.checked));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = form.querySelector(".answer");
    answer.textContent = "Sending…";
    const { line, isGood, body } = await send(form, rehearsal?.checked);
    // Without an answer only the form says what happened.
    if (body === undefined) box.open = true;
    answer.replaceChildren(
      element("p", line, isGood ? "good" : "bad"),
      ...(body === undefined ? [] : place(form, body, line)),
    );
  });
}

// One key for all forms. It stays on the page: nothing is stored.
for (const key of document.querySelectorAll(".try .api-key")) {
  key.addEventListener("input", () => {
    for (const other of document.querySelectorAll(".try .api-key")) if (other !== key) other.value = key.value;
  });
}

// The request of a form, with the fields that stand in its path put there.
function requestOf(form, isRehearsed) {
  const { method } = form.dataset;
  const sample = valuesOf(form);
  if (isRehearsed) sample.dry_run = true;
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = sample[name] ?? "";
    delete sample[name];
    return encodeURIComponent(value);
  });
  return { method, path, sample };
}

// The code beside the form says what the form says.
function follow(form, isRehearsed) {
  const codes = form.closest(".examples").querySelectorAll(".always-dark pre code");
  const request = requestOf(form, isRehearsed);
  for (const [i, code] of codes.entries()) code.textContent = makers[i](request, form.dataset.origin);
}

async function send(form, isRehearsed) {
  const { method, path, sample: fields } = requestOf(form, isRehearsed);
  const query = method === "GET" ? new URLSearchParams(Object.entries(fields)).toString() : "";
  const key = form.querySelector(".api-key").value.trim();
  try {
    const started = performance.now();
    const response = await fetch(path + (query && `?${query}`), {
      method,
      headers: {
        ...(method === "POST" && { "Content-Type": "application/json" }),
        ...(key && { Authorization: `Bearer ${key}` }),
      },
      ...(method === "POST" && { body: JSON.stringify(fields) }),
    });
    const body = await response.text();
    const wait = response.headers.get("Retry-After");
    const line = `${response.status} in ${Math.round(performance.now() - started)} ms${wait ? `, retry in ${wait} s` : ""}`;
    return { line, isGood: response.ok, body: pretty(body) };
  } catch {
    return { line: "The server cannot be reached.", isGood: false };
  }
}

// The real answer takes the place of the sample. Where there is none, it stands under the form.
function place(form, body, line) {
  const box = form.closest(".examples")?.querySelector(".answers");
  if (!box) return [shown(body)];
  const [label, ...labels] = box.querySelectorAll("label");
  const [panel, ...panels] = box.querySelectorAll(".panel");
  for (const other of [...labels, ...panels]) other.hidden = true;
  label.textContent = line;
  box.querySelector("input[type=radio]").checked = true;
  panel.querySelector("code").textContent = body;
  panel.querySelector("script")?.remove();
  return [];
}

// An empty field is left out. What is no number goes as it was typed: the answer says what is wrong with it.
function valuesOf(form) {
  const filled = [...form.querySelectorAll("[data-field]")].filter(({ value }) => value.trim() !== "");
  return Object.fromEntries(filled.map(({ dataset, value }) => [dataset.field, READ[dataset.kind]?.(value) ?? value]));
}

const READ = {
  flag: (text) => text === "true",
  number: (text) => (Number.isNaN(Number(text)) ? text : Number(text)),
  list: (text) =>
    text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean),
  json: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function shown(text) {
  const pre = element("pre", text);
  pre.tabIndex = 0;
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", "Response");
  return pre;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}
