// Enrolment: what the camera sees, once a second; when something else is asked for, the page is made anew in place.
const words = (id, text) => { const each = document.getElementById(id); if (each && each.textContent !== text) each.textContent = text; };

async function anew() {
  const page = new DOMParser().parseFromString(await (await fetch("/enrol", { cache: "no-store" })).text(), "text/html");
  const held = document.activeElement?.id, main = page.getElementById("enrol");
  if (!main) return;
  document.getElementById("enrol").replaceWith(main);
  if (held) document.getElementById(held)?.focus();
}

async function look() {
  if (!document.hidden) {
    try {
      const told = await (await fetch("/enrol/state.json", { cache: "no-store" })).json();
      if (told.stamp !== document.getElementById("enrol").dataset.stamp) await anew();
      const seen = document.getElementById("seen"), share = document.getElementById("share");
      if (seen) {
        seen.className = `eyes large ${told.state}`;
        if (seen.querySelector("span").textContent !== told.seen) seen.querySelector("span").textContent = told.seen;
      }
      if (share) { share.value = told.share; words("percent", `${Math.round(100 * told.share)} %`); }
      await refresh();
    } catch { /* the next look tells */ }
  }
  setTimeout(look, 1000);
}

async function refresh() {
  const picture = document.getElementById("picture");
  if (!picture) return;
  const told = await (await fetch("/eyes.json", { cache: "no-store" })).json();
  picture.hidden = !told.picture;
  if (told.picture && told.stamp !== picture.dataset.stamp) {
    picture.dataset.stamp = told.stamp;
    picture.src = `/eyes.jpg?${told.stamp}`;
  }
}
setTimeout(look, 1000);
