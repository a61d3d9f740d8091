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
  // A logged-in reader without a token uses their session, which needs the CSRF token.
  requestInterceptor: (request) => {
    if (!["GET", "HEAD"].includes(request.method ?? "GET")) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
