// Measuring the lens: the outline that the sheet is to fill, over the newest picture; a hidden page rests.
const image = document.querySelector("#seen image"), use = document.getElementById("use"), later = document.getElementById("later");
let stamp = null;

function write(id, text) {
  const each = document.getElementById(id);
  if (each.textContent !== text) each.textContent = text; // a reader says it once
}

function tell({ said, count, wanted, sheet, is_done: done, picture, stamp: now }) {
  write("said", said);
  write("count", count);
  document.getElementById("wanted").setAttribute("points", wanted);
  document.getElementById("held").setAttribute("points", sheet);
  use.hidden = !done;
  later.hidden = done;
  if (picture && now !== stamp) {
    stamp = now;
    image.setAttribute("href", `/eyes.jpg?${now}`);
  }
}

async function look() {
  if (!document.hidden) {
    try { tell(await (await fetch("/setup/lens/measure.json", { cache: "no-store" })).json()); } catch { /* the next look tells */ }
  }
  setTimeout(look, 700);
}
if (image) setTimeout(look, 300);
