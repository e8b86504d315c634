// What the companion sees: a fresh picture as often as there is one, never faster than a second; a hidden page rests.
const picture = document.getElementById("picture"), empty = document.getElementById("empty");
const eyes = document.getElementById("eyes");

const show = (there) => { picture.parentElement.hidden = !there; empty.hidden = there; };
picture.addEventListener("load", () => show(true));
picture.addEventListener("error", () => show(false));

async function look() {
  if (!document.hidden) {
    try {
      const told = await (await fetch("/eyes.json", { cache: "no-store" })).json();
      eyes.className = `eyes large ${told.state}`;
      eyes.querySelector("span").textContent = told.words;
      if (!told.picture) { // what was seen last is not what is there now
        delete picture.dataset.stamp;
        show(false);
      } else if (told.stamp !== picture.dataset.stamp) {
        picture.dataset.stamp = told.stamp;
        picture.src = `/eyes.jpg?${told.stamp}`;
      }
    } catch { /* the next look tells */ }
  }
  setTimeout(look, 1000);
}
setTimeout(look, 1000);
