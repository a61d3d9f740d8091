// Shows the API's own document with Swagger UI, which is loaded before this.
const place = document.getElementById("api");

window.SwaggerUIBundle({
  dom_id: "#api",
  url: place.dataset.schema,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  // Who is logged in and has no token: his session is enough, with this beside it.
  requestInterceptor: (request) => {
    if (!["GET", "HEAD"].includes(request.method ?? "GET")) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
