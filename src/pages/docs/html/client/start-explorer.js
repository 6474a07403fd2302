// Starts Swagger UI on this server's own document; requests go to the page's own origin.
const prefix = document.body.dataset.prefix;
const key = document.querySelector("#api-key");

// The page has a title of its own and one server.
const nothing = () => null;
// A link inside a button could not be reached.
const plainPath = ({ text }) => text;
const ownLook = {
  components: { InfoContainer: nothing, ServersContainer: nothing },
  wrapComponents: { DeepLink: () => plainPath },
};

fetch(`${prefix}/openapi.json`)
  .then((response) => response.json())
  .then(({ security: _, components: { securitySchemes: __, ...components }, ...spec }) =>
    window.SwaggerUIBundle({
      // A key is optional, so it has a field above and no padlock at every operation.
      spec: { ...spec, components, servers: [{ url: prefix }] },
      dom_id: "#explorer",
      deepLinking: true,
      defaultModelsExpandDepth: -1,
      plugins: [ownLook],
      syntaxHighlight: { activated: false },
      validatorUrl: null,
      requestInterceptor(request) {
        if (key.value.trim()) request.headers.Authorization = `Bearer ${key.value.trim()}`;
        return request;
      },
    }),
  );

// Swagger UI leaves controls without a name, and boxes that the keyboard cannot scroll.
const box = document.querySelector("#explorer");
new MutationObserver(() => {
  for (const listing of box.querySelectorAll("pre:not([tabindex])")) listing.tabIndex = 0;
  for (const table of box.querySelectorAll("table[role=region]:not([aria-label])")) {
    const { textContent: operation } = table.closest(".opblock").querySelector(".opblock-summary-control");
    table.setAttribute("aria-label", `Responses: ${operation}`);
  }
  for (const control of box.querySelectorAll(":is(select, textarea, input:not([type=hidden])):not([aria-label])")) {
    const name = control.closest("[data-param-name]")?.dataset.paramName;
    control.setAttribute("aria-label", name ?? (control.matches("textarea") ? "Request body" : "Choice"));
  }
}).observe(box, { childList: true, subtree: true });
