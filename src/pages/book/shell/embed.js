// <script src="https://…/book/embed.js" defer data-shop></script> shows the booking page in its place, as high as its
// content. data-shop may name a page: "book" (the usual one), "glass" or "manage".
(() => {
  const script = document.currentScript;
  const { origin } = new URL(script.src);
  const page = { glass: "/book/glass", manage: "/book/manage" }[script.dataset.shop] ?? "/book";
  const frame = document.createElement("iframe");
  frame.src = origin + page;
  frame.title = script.dataset.title ?? "Book an appointment";
  frame.style.cssText = "display:block;width:100%;height:900px;border:0;color-scheme:normal";
  script.after(frame);
  let pages = 0;
  frame.addEventListener("load", () => {
    pages += 1;
    if (pages > 1 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: "start" });
  });
  addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || !data?.tintdesk) return;
    const { height, top } = data.tintdesk;
    if (Number.isFinite(height)) frame.style.height = `${height}px`;
    if (Number.isFinite(top)) scrollTo({ top: scrollY + frame.getBoundingClientRect().top + top - 16 });
  });
})();
