// The page of the table: the server draws every part, this puts the changed ones in.
import { tick } from "./clocks.js";
import { connect } from "./live.js";
import { count, glide, places, scores } from "./motion.js";
import { sendForms } from "./send.js";

const link = document.getElementById("link");
const told = document.getElementById("told");

function putIn(id, { rev, html }) {
  const part = document.getElementById(id);
  if (!part || part.dataset.rev === rev) return;
  const pieces = id === "board" ? places(part) : null;
  const points = id === "seats" ? scores(part) : null;
  const scrolled = part.firstElementChild?.scrollTop ?? 0;
  const focused = part.contains(document.activeElement) ? [...part.querySelectorAll("button, a")].indexOf(document.activeElement) : -1;
  part.innerHTML = html;
  part.dataset.rev = rev;
  if (pieces) glide(part, pieces);
  if (points) count(part, points);
  if (part.firstElementChild) part.firstElementChild.scrollTop = scrolled;
  if (focused >= 0) part.querySelectorAll("button, a")[focused]?.focus();
  if (id === "top") document.title = part.querySelector("[data-title]").dataset.title;
}

function onParts({ match, parts }) {
  if (match === 0) { location.replace("/"); return; } // no game any more: the first page knows what one can do
  for (const [id, part] of Object.entries(parts)) putIn(id, part);
}

function onLink(state) {
  if (link.dataset.state === state) return;
  link.dataset.state = state;
  link.querySelector("span").textContent = link.dataset[state];
  link.querySelector("button").hidden = state === "live" || state === "connecting";
}

function say(text) {
  told.replaceChildren();
  if (text === "") return;
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = text ?? link.dataset.lost;
  told.append(note);
}

const live = connect({ onParts, onLink });
link.querySelector("button").addEventListener("click", () => { onLink("connecting"); live.wake(); });
const more = document.querySelector("details.more");
sendForms(document, { onError: say, onSent: () => { more.open = false; } }); // what was chosen is done: the table shows it
tick();

// The picture of what is asked about may come a moment later than the question.
document.addEventListener("error", ({ target }) => {
  if (!target.matches?.("[data-close-up]")) return;
  target.hidden = true;
  setTimeout(() => {
    if (!target.isConnected) return;
    target.hidden = false;
    target.src = `${target.src.split("?")[0]}?${Date.now()}`;
  }, 1000);
}, true);

// The menu lies over the page: a touch beside it, or Escape, closes it.
document.addEventListener("click", ({ target }) => { if (!more.contains(target)) more.open = false; });
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") more.open = false; });

const letters = document.getElementById("letters");
function showLetters(on) {
  document.body.classList.toggle("letters", on);
  letters.setAttribute("aria-pressed", String(on));
}
letters.hidden = false;
letters.addEventListener("click", () => {
  const on = !document.body.classList.contains("letters");
  try { localStorage.setItem("letters", on ? "1" : ""); } catch { /* private browsing keeps nothing */ }
  showLetters(on);
});
try { showLetters(localStorage.getItem("letters") === "1"); } catch { showLetters(false); }

document.getElementById("history").addEventListener("click", (event) => {
  if (event.target.id === "history") location.hash = "";
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && location.hash === "#history") location.hash = "";
});
