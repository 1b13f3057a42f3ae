// The page is a picture of the server's state: what a person does goes there as one action, and
// what comes back is fitted into the page without touching the field that she is typing in.
"use strict";

const SLOWEST = 120;
let tab = null;
let step = null;
// Actions are numbered: a picture from before the last one must not undo what she just ticked.
let sent = 0;
let seen = 0;
let waiting = null;
// On a small screen what belongs to a system or a column lies far below it.
const BELOW = { choose: ".settings", purpose: ".settings", "column-open": "#editor" };
let chosen = null;

function act(name, key, value) {
  const action = { do: name, key: key ?? "", value: value ?? "", number: ++sent };
  Shiny.setInputValue("act", action, { priority: "event" });
}

// Fit new HTML into an element, keeping every node that is still the same.
function fit(element, html) {
  const wanted = document.createElement("div");
  wanted.innerHTML = html;
  fitChildren(element, wanted);
}

// Nodes are added and removed, never moved: that would take the focus away.
function fitChildren(old, wanted) {
  let there = old.firstChild;
  for (const node of wanted.childNodes) {
    let found = there;
    while (found && !alike(found, node)) found = found.nextSibling;
    if (!found) {
      old.insertBefore(node.cloneNode(true), there);
      continue;
    }
    while (there !== found) there = removeNode(there);
    // A drawing is replaced as a whole, and then has no neighbours any more.
    const following = there.nextSibling;
    if (node.nodeType === Node.ELEMENT_NODE) fitElement(there, node);
    else if (there.textContent !== node.textContent) there.textContent = node.textContent;
    there = following;
  }
  while (there) there = removeNode(there);
}

function removeNode(node) {
  const following = node.nextSibling;
  node.remove();
  return following;
}

// The same element in another picture has the same id, or no id and the same first class.
function alike(a, b) {
  if (a.nodeName !== b.nodeName) return false;
  if (a.nodeType !== Node.ELEMENT_NODE) return true;
  return a.id || b.id ? a.id === b.id : a.classList[0] === b.classList[0];
}

function fitElement(old, wanted) {
  for (const { name } of [...old.attributes]) {
    const keeps = name === "open" && old.nodeName === "DETAILS";
    if (!wanted.hasAttribute(name) && !keeps && !(old.nodeName === "IFRAME" && name === "style")) old.removeAttribute(name);
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const typing = old === document.activeElement && old.matches("input:not([type=checkbox]):not([type=radio])");
  const current = seen === sent && waiting === null;
  if (old.nodeName === "INPUT" && old.type !== "file" && current) {
    if (!typing && old.value !== (wanted.getAttribute("value") ?? "")) old.value = wanted.getAttribute("value") ?? "";
    if (old.type === "checkbox" || old.type === "radio") old.checked = wanted.hasAttribute("checked");
  }
  if (old.nodeName === "svg") {
    if (old.innerHTML !== wanted.innerHTML) old.replaceWith(wanted.cloneNode(true));
    return;
  }
  fitChildren(old, wanted);
  if (old.nodeName === "SELECT" && current) {
    const chosen = wanted.querySelector("option[selected]");
    if (chosen) old.value = chosen.value;
  }
}

function draw({ parts, at, number }) {
  seen = number ?? seen;
  const focused = document.activeElement;
  for (const [id, html] of Object.entries(parts)) fit(document.getElementById(id), html);
  // Whoever pressed a button that is gone goes on from the title, not from nowhere.
  if (!focused.isConnected) document.getElementById("title")?.focus({ preventScroll: true });
  if (at !== step) {
    const first = step === null;
    step = at;
    if (first) history.replaceState({ step }, "");
    else {
      if (history.state?.step !== step) history.pushState({ step }, "");
      window.scrollTo(0, 0);
      document.getElementById("title")?.focus({ preventScroll: true });
    }
  }
  if (chosen) document.querySelector(chosen)?.scrollIntoView();
  chosen = null;
  document.querySelectorAll("iframe.report").forEach(watch);
}

// A report is as high as its content, so that there is one scroll bar.
function watch(frame) {
  if (frame.dataset.watched === frame.src) return;
  frame.dataset.watched = frame.src;
  const measure = () => {
    // Not the height of its document, which is never less than that of the frame.
    const parts = [...(frame.contentDocument?.body?.children ?? [])];
    const end = Math.max(0, ...parts.map((part) => part.getBoundingClientRect().bottom));
    if (end) frame.style.height = `${Math.ceil(end + frame.contentWindow.scrollY) + 48}px`;
  };
  frame.addEventListener("load", () => {
    measure();
    if (frame.contentDocument) new ResizeObserver(measure).observe(frame.contentDocument.body);
  });
  measure();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (!button) return;
  if (button.dataset.do === "column-list") return document.querySelector(".columns").scrollIntoView();
  chosen = matchMedia("(max-width: 64rem)").matches ? BELOW[button.dataset.do] : null;
  act(button.dataset.do, button.dataset.key);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.dataset.upload) upload(field.files[0], field.dataset.upload);
  else if (field.dataset.do) {
    const ticked = field.type === "checkbox" ? String(field.checked) : field.value;
    act(field.dataset.do, field.dataset.key, ticked);
  }
});

// Sliders work in powers of ten; the field beside one shows the number and can be typed into.
let last = 0;
document.addEventListener("input", (event) => {
  const slider = event.target;
  if (!slider.dataset.slide) return;
  const field = document.getElementById(slider.dataset.slide);
  const number = 10 ** Number(slider.value);
  const text = String(slider.dataset.whole ? Math.round(number) : Number(number.toPrecision(2)));
  field.value = text;
  clearTimeout(waiting);
  const send = () => {
    last = Date.now();
    waiting = null;
    act(field.dataset.do, field.dataset.key, text);
  };
  waiting = setTimeout(send, Math.max(0, SLOWEST - (Date.now() - last)));
});

window.addEventListener("popstate", (event) => {
  if (event.state?.step) act("go", event.state.step);
});

for (const name of ["dragover", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    const place = document.getElementById("drop");
    if (!place) return;
    place.classList.toggle("over", name === "dragover" && place.contains(event.target));
    if (name === "drop" && place.contains(event.target)) upload(event.dataTransfer.files[0], "data");
  });
}

// The line with the progress stands outside the steps: she may look at others meanwhile.
let sending = null;

function upload(file, what) {
  if (!file) return;
  const field = document.getElementById(what === "data" ? "file" : `${what}-file`);
  const most = Number(field.dataset.most);
  // So that the same file can be chosen again.
  field.value = "";
  if (file.size > most) return act("too-large", what);
  sending?.abort();
  const request = new XMLHttpRequest();
  const line = document.getElementById("sending");
  const show = (done) => {
    line.querySelector(".amount").textContent = `${megabytes(done)} of ${megabytes(file.size)} MB`;
    line.querySelector("progress").value = file.size ? done / file.size : 1;
  };
  line.querySelector("[role=status]").textContent = `Uploading ${file.name}`;
  show(0);
  line.hidden = false;
  request.upload.onprogress = (event) => show(event.loaded);
  request.onloadend = () => {
    if (sending !== request) return;
    sending = null;
    line.hidden = true;
  };
  sending = request;
  // With the kind, which may have been chosen just now and not have arrived yet.
  const kind = document.querySelector("input[name=kind]:checked")?.dataset.key ?? "table";
  const query = new URLSearchParams({ name: file.name, kind });
  request.open("POST", `upload/${tab}/${what}?${query}`);
  request.send(file);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("#sending button").addEventListener("click", () => sending?.abort());
  document.querySelector("#gone button").addEventListener("click", () => location.reload());
  Shiny.addCustomMessageHandler("draw", draw);
  Shiny.addCustomMessageHandler("tab", ({ id }) => {
    tab = id;
    sessionStorage.setItem("covey-tab", id);
  });
});
$(document).on("shiny:connected", () => {
  Shiny.setInputValue("tab", sessionStorage.getItem("covey-tab") ?? "new");
});
$(document).on("shiny:disconnected", () => {
  // A machine that slept loses the connection, and nothing else.
  fetch("studio.css", { cache: "no-store" }).then((answer) => showGone(answer.ok), () => showGone(false));
});

function showGone(answers) {
  const line = document.getElementById("gone");
  line.querySelector("span").textContent = answers
    ? "The connection was lost, and nothing else."
    : "The studio has stopped. Start it again in the terminal: covey studio";
  line.querySelector("button").hidden = !answers;
  line.hidden = false;
}
