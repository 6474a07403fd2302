// Starts Swagger UI on this server's own document; requests go to the page's own origin.
const prefix = document.body.dataset.prefix;
fetch(`${prefix}/openapi.json`)
  .then((response) => response.json())
  .then((spec) =>
    window.SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: prefix }] },
      dom_id: "#explorer",
      deepLinking: true,
      validatorUrl: null,
    }),
  );
