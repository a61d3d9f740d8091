// Passkeys. <form data-passkey="get" data-options="/address"> asks the server what to ask for, lets
// the browser do it, and sends what came of it in its field `credential`.

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function withBytes(options) {
  const known = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    ...(options.allowCredentials && { allowCredentials: known(options.allowCredentials) }),
    ...(options.excludeCredentials && { excludeCredentials: known(options.excludeCredentials) }),
  };
}

function withText(credential) {
  const response = {};
  const fields = [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ];
  for (const field of fields) {
    if (credential.response[field]) response[field] = text(credential.response[field]);
  }
  const id = text(credential.rawId);
  return { id, rawId: id, type: credential.type, response };
}

async function ask(form) {
  const body = new FormData(form);
  const answer = await fetch(form.dataset.options, { method: "POST", body });
  const options = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(options.message ?? "");
  const publicKey = withBytes(options);
  return form.dataset.passkey === "create"
    ? navigator.credentials.create({ publicKey })
    : navigator.credentials.get({ publicKey });
}

async function send(form) {
  const button = form.querySelector("[type=submit]");
  const notice = form.querySelector("[data-passkey-notice]");
  button.disabled = true;
  notice.hidden = true;
  try {
    const credential = await ask(form);
    form.elements.credential.value = JSON.stringify(withText(credential));
    form.submit();
  } catch (error) {
    // Errors of the browser are in its own language and for programmers.
    const said = error instanceof DOMException ? "" : error.message;
    const isThere = error.name === "InvalidStateError";
    notice.textContent = said || (isThere && notice.dataset.there) || notice.dataset.failed;
    notice.hidden = false;
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!globalThis.PublicKeyCredential) continue;
  form.hidden = false;
  document.querySelector("[data-no-passkeys]")?.remove();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
