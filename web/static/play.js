// A ply entered by hand, or a position touched up: each touch is a link; this follows it without loading the page anew, and sends the ply.
import { connect } from "./live.js";

const JSON_TYPE = { "Content-Type": "application/json", Accept: "application/json" };
const entry = () => document.getElementById("entry");
const here = () => entry().dataset.page;
let asked = 0, sending = false, newest = 0;

async function show(address, told = "") {
  const number = ++asked, by_key = document.activeElement?.closest("#entry") !== null;
  const text = await (await fetch(address, { headers: { Accept: "text/html" } })).text();
  if (number !== asked) return; // another touch came meanwhile
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.getElementById("entry");
  if (!next) { location.assign("/"); return; }
  entry().replaceWith(document.adoptNode(next));
  document.title = page.title;
  document.querySelector("h1").textContent = page.querySelector("h1").textContent;
  if (told) say(told);
  if (by_key) document.getElementById("ask")?.focus({ preventScroll: true });
}

function say(text) {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = text;
  document.getElementById("told").replaceChildren(note);
}

async function play(command) {
  if (sending) return; // a second tap on the same thing means the same ply
  sending = true;
  const right = entry().dataset.right ?? ""; // an earlier move is put right: that is said
  try {
    const answer = await (await fetch("/do", { method: "POST", body: command, headers: JSON_TYPE })).json();
    if (answer.ok && entry().dataset.then) { location.assign(entry().dataset.then); return; }
    await show(here(), answer.ok ? right : answer.error);
  } catch { location.reload(); } finally { sending = false; }
  catchUp();
}

// What is played elsewhere is shown at once; of a ply that is on its way, what comes of it is shown only once: what is
// touched in between must not be lost.
function catchUp() {
  if (!sending && newest !== Number(entry().dataset.seq)) show(here());
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#entry :is(a.touch, a.step, a.anew)");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  if (link.dataset.command) play(link.dataset.command);
  else show(link.getAttribute("href")).catch(() => location.assign(link.getAttribute("href")));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("#entry form.send");
  if (!form) return;
  event.preventDefault();
  play(form.elements.command.value);
});

connect({
  onParts: ({ seq }) => { newest = seq; catchUp(); },
  onLink: () => {},
});
