// Setting up the table: how each step stands, what the camera sees, asked for once a second; a hidden page rests.
const picture = document.getElementById("picture"), empty = document.getElementById("empty");
const list = document.querySelector("[data-seen]");

const show = (there) => { picture.parentElement.hidden = !there; empty.hidden = there; };
picture?.addEventListener("load", () => show(true));
picture?.addEventListener("error", () => show(false));

function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text; // a reader says it once
}

function tell({ steps, cards, stamp, picture: there }) {
  for (const { name, state, words } of steps) {
    const line = document.querySelector(`[data-step="${name}"]`), note = document.querySelector(`[data-said="${name}"]`);
    if (line) { line.dataset.state = state; write(line.querySelector("small"), words); }
    if (note) { note.classList.toggle("bad", state === "wrong"); write(note, words); }
  }
  for (const each of document.querySelectorAll("[data-card]")) each.classList.toggle("seen", cards.includes(Number(each.dataset.card)));
  for (const each of document.querySelectorAll("[data-of-card]")) {
    write(each, cards.includes(Number(each.dataset.ofCard)) ? list.dataset.seen : list.dataset.unseen);
  }
  if (picture && !there) { // what was seen last is not what is there now
    delete picture.dataset.stamp;
    show(false);
  }
  if (picture && there && stamp !== picture.dataset.stamp) {
    picture.dataset.stamp = stamp;
    picture.src = `/eyes.jpg?${stamp}`;
  }
}

async function look() {
  if (!document.hidden) {
    try { tell(await (await fetch("/setup.json", { cache: "no-store" })).json()); } catch { /* the next look tells */ }
  }
  setTimeout(look, 1000);
}
setTimeout(look, 300);
