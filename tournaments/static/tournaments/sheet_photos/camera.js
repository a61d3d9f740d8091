// A picture is sent as soon as it is taken; then the page asks until it has been read.

const form = document.querySelector("[data-camera]");

async function look() {
  const response = await fetch(form.action, { headers: { Accept: "text/html" } }).catch(() => null);
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    document.querySelector("#camera-said").replaceWith(page.querySelector("#camera-said"));
  }
  wait();
}

function wait() {
  if (document.querySelector("#camera-said[data-waiting]")) setTimeout(look, 2000);
}

form.querySelector("input[type=file]").addEventListener("change", (event) => {
  if (event.target.files.length) form.requestSubmit();
});
wait();
