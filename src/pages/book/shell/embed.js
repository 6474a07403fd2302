// <script src="https://…/book/embed.js" defer data-shop></script> shows the booking page in its place, as high as its
// content. data-shop may name a page: "book" (the usual one), "glass" or "manage". The script may be a module, and may stand
// in the head: then the page comes to the element that data-into selects, or to the end of the body.
// After a booking the frame fires the event "tintdesk:booked", which bubbles.
(() => {
  // A module is not the current script.
  const script = document.currentScript ?? document.querySelector('script[src*="/book/embed.js"]:not([data-shown])');
  script.dataset.shown = "";
  const { origin } = new URL(script.src);
  const page = { glass: "/book/glass", manage: "/book/manage" }[script.dataset.shop] ?? "/book";
  const title = script.dataset.title ?? "Book an appointment";
  const frame = document.createElement("iframe");
  frame.src = origin + page;
  frame.title = title;
  frame.style.cssText = "display:block;width:100%;height:900px;border:0;color-scheme:normal";
  let pages = 0;
  let isHeard = false;

  function show() {
    const place = script.dataset.into && document.querySelector(script.dataset.into);
    if (place) place.append(frame);
    else if (document.body.contains(script)) script.after(frame);
    else document.body.append(frame);
  }
  if (document.body) show();
  else addEventListener("DOMContentLoaded", show);

  frame.addEventListener("load", () => {
    pages += 1;
    if (pages > 1 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: "start" });
    // The browser shows nothing of the page where the shop does not list this website: a link works everywhere.
    setTimeout(() => isHeard || link(), 3000);
  });

  function link() {
    const address = document.createElement("a");
    address.href = frame.src;
    address.textContent = title;
    frame.replaceWith(address);
  }

  addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || !data?.tintdesk) return;
    isHeard = true;
    const { height, top, booked } = data.tintdesk;
    if (Number.isFinite(height)) frame.style.height = `${height}px`;
    if (Number.isFinite(top)) scrollTo({ top: scrollY + frame.getBoundingClientRect().top + top - 16 });
    if (booked) frame.dispatchEvent(new CustomEvent("tintdesk:booked", { bubbles: true }));
  });
})();
