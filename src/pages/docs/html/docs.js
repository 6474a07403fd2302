// Copy buttons, forms that send the samples to this origin, and the current section marked in the contents.
// Browsers allow writing to the clipboard only over https and on localhost.
for (const button of navigator.clipboard ? document.querySelectorAll(".copy") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.closest("figure").querySelector("code").textContent);
    const label = button.firstChild;
    label.data = "Copied";
    setTimeout(() => {
      label.data = "Copy";
    }, 1500);
  });
}

for (const form of document.querySelectorAll(".try form")) {
  form.closest("details").hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = form.querySelector(".answer");
    answer.textContent = "Sending…";
    answer.replaceChildren(...(await send(form)));
  });
}

async function send(form) {
  const { method, path } = form.dataset;
  const text = form.querySelector("textarea, input:not([type])").value.trim();
  const query = method === "GET" && text ? `?${text}` : "";
  try {
    const started = performance.now();
    const response = await fetch(path + query, {
      method,
      ...(method === "POST" && { headers: { "Content-Type": "application/json" }, body: text }),
    });
    const body = await response.text();
    const wait = response.headers.get("Retry-After");
    const line = `${response.status} in ${Math.round(performance.now() - started)} ms${wait ? `, retry in ${wait} s` : ""}`;
    return [element("p", line, response.ok ? "good" : "bad"), shown(pretty(body))];
  } catch {
    return [element("p", "The server cannot be reached.", "bad")];
  }
}

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
  pre.setAttribute("aria-label", "Answer");
  return pre;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll("h2[id], h3[id]")];
const seen = new IntersectionObserver(
  () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight * 0.4);
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  },
  { rootMargin: "0px 0px -61% 0px" },
);
for (const heading of headings) seen.observe(heading);

// On a narrow screen the contents cover the page, so following a link closes them.
document.querySelector("nav").addEventListener("click", (event) => {
  if (event.target.closest("a")) document.querySelector("nav details").open = false;
});
