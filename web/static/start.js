// A new game: another number of players or another game shows its own form at once.
const form = document.getElementById("start");
form?.addEventListener("change", ({ target }) => {
  if (target.name === "players" || target.name === "game") form.submit();
});
