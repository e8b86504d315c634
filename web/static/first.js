// A table without a game: what is loading, and on to the table as soon as there is one.
import { connect } from "./live.js";

const { match, state } = document.body.dataset;
const words = document.getElementById("words"), bar = document.getElementById("bar");

async function look() {
  if (!document.hidden) {
    try {
      const told = await (await fetch("/eyes.json", { cache: "no-store" })).json();
      if (bar) {
        if (words.textContent !== told.words) words.textContent = told.words;
        if (told.loaded !== null) bar.value = told.loaded;
      } else if (told.state !== state) location.reload();
    } catch { /* the next look tells */ }
  }
  setTimeout(look, 700);
}
setTimeout(look, 700);

connect({
  onParts: (told) => { if (told.match !== Number(match)) location.replace("/"); },
  onLink: () => {},
});
