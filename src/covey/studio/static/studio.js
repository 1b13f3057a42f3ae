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

function act(name, key, value) {
  const action = { do: name, key: key ?? "", value: value ?? "", number: ++sent };
  Shiny.setInputValue("act", action, { priority: "event" });
}

// Fit new HTML into an element, keeping every node that is still the same.
function fit(element, html) {
  const wanted = document.createElement("div");
  wanted.innerHTML = html;
  children(element, wanted);
}

function children(old, wanted) {
  const kept = [...old.childNodes];
  [...wanted.childNodes].forEach((node, place) => {
    const there = kept[place];
    if (!there) old.append(node.cloneNode(true));
    else if (!alike(there, node)) there.replaceWith(node.cloneNode(true));
    else if (node.nodeType === Node.ELEMENT_NODE) same(there, node);
    else if (there.textContent !== node.textContent) there.textContent = node.textContent;
  });
  kept.slice(wanted.childNodes.length).forEach((node) => node.remove());
}

function alike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id ?? "") === (b.id ?? "");
}

function same(old, wanted) {
  if (old.dataset.own) return;
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
  children(old, wanted);
  if (old.nodeName === "SELECT" && current) {
    const chosen = wanted.querySelector("option[selected]");
    if (chosen) old.value = chosen.value;
  }
}

function draw({ parts, at, number }) {
  seen = number ?? seen;
  for (const [id, html] of Object.entries(parts)) fit(document.getElementById(id), html);
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
  document.querySelectorAll("iframe.report").forEach(watch);
}

// A report is as high as its content, so that there is one scroll bar.
function watch(frame) {
  if (frame.dataset.watched === frame.src) return;
  frame.dataset.watched = frame.src;
  const measure = () => {
    const page = frame.contentDocument?.documentElement;
    if (page) frame.style.height = `${page.scrollHeight + 8}px`;
  };
  frame.addEventListener("load", () => {
    measure();
    if (frame.contentDocument) new ResizeObserver(measure).observe(frame.contentDocument.body);
  });
  measure();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) act(button.dataset.do, button.dataset.key);
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

function upload(file, what) {
  if (!file) return;
  const request = new XMLHttpRequest();
  const box = document.getElementById("upload");
  if (box && what === "data") {
    box.hidden = false;
    box.querySelector("p").textContent = `Uploading ${file.name} …`;
    request.upload.onprogress = (event) => {
      box.querySelector("progress").value = event.loaded / event.total;
    };
  }
  request.onloadend = () => {
    if (box) box.hidden = true;
    const field = document.getElementById(what === "data" ? "file" : "taxonomy-file");
    if (field) field.value = "";
  };
  request.open("POST", `upload/${tab}/${what}?name=${encodeURIComponent(file.name)}`);
  request.send(file);
}

document.addEventListener("DOMContentLoaded", () => {
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
  document.getElementById("gone").hidden = false;
});
