// A new game: another number of players or another game shows its own form at once.
import { connect } from "./live.js";

const form = document.getElementById("start");
const eyes = document.getElementById("eyes");
form?.addEventListener("change", ({ target }) => {
  if (target.name === "players" || target.name === "game") form.submit();
});

// A game that begins elsewhere (on another phone, or a set that is played) is shown here at once.
const known = Number(document.body.dataset.match);
connect({
  onParts: ({ match, parts }) => {
    if (match !== known) location.replace("/");
    const told = new DOMParser().parseFromString(parts.board.html, "text/html").querySelector(".eyes");
    if (eyes && told) eyes.replaceChildren(...told.cloneNode(true).childNodes);
    if (eyes && told) eyes.className = told.className;
  },
  onLink: () => {},
});
