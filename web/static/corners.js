// The four corners of a board, touched on the camera's picture: the chosen one goes where a finger is, or by arrow keys.
const board = document.getElementById("seen"), loupe = document.getElementById("loupe"), empty = document.getElementById("empty");
const asked = document.getElementById("asked"), handles = document.getElementById("handles"), outline = document.getElementById("outline");
const radios = [...document.querySelectorAll("#corners input")], LOUPE = 6; // so many times as large
const numbers = radios.map((_, n) => ["x", "y"].map((axis) => document.querySelector(`input[name=${axis}${n + 1}]`)));
let size = board?.getAttribute("viewBox").split(" ").slice(2).map(Number), stamp = null;

const chosen = () => radios.findIndex((each) => each.checked);
const at = (n) => (numbers[n].every((each) => each.value !== "") ? numbers[n].map((each) => Number(each.value)) : null);
const name = (n) => radios[n].parentElement.textContent.trim();

function put(n, [x, y]) {
  const inside = [Math.min(Math.max(x, 0), size[0]), Math.min(Math.max(y, 0), size[1])];
  numbers[n].forEach((input, axis) => { input.value = Math.round(inside[axis] * 10) / 10; });
  draw();
}

function draw() {
  const points = radios.map((_, n) => at(n)), there = points.filter(Boolean), missing = points.findIndex((each) => !each);
  outline.setAttribute("points", there.map((each) => each.join(",")).join(" "));
  [...handles.children].forEach((handle, n) => {
    handle.toggleAttribute("hidden", !points[n]);
    handle.setAttribute("transform", points[n] ? `translate(${points[n].join(" ")})` : "");
    handle.classList.toggle("chosen", n === chosen());
    const round = size[0] / 45, isHigh = points[n] && points[n][1] < 4 * round; // its name is to stay in the picture
    handle.querySelector("text").setAttribute("y", isHigh ? 2.5 * round : -1.3 * round);
  });
  const text = missing < 0 ? asked.dataset.all : asked.dataset.next.replace("@", name(chosen()));
  if (asked.textContent !== text) asked.textContent = text;
  enlarge(points[chosen()]);
}

function enlarge(point) { // what a finger hides, beside it
  loupe.toggleAttribute("hidden", !point);
  if (!point) return;
  const [x, y] = point, wide = size[0] / 4 / LOUPE;
  loupe.setAttribute("viewBox", `${x - wide / 2} ${y - wide / 2} ${wide} ${wide}`);
  loupe.querySelector("path").setAttribute("d", `M${x - wide / 2} ${y}h${wide}M${x} ${y - wide / 2}v${wide}`);
  loupe.classList.toggle("right", x < size[0] / 2);
}

function prepare() {
  const round = size[0] / 45;
  handles.replaceChildren(...radios.map((_, n) => {
    const make = (tag, given) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
      return element;
    };
    const handle = make("g", { tabindex: 0, role: "button", "aria-label": board.dataset.said.replace("@", name(n)), "data-corner": n });
    const text = make("text", { "font-size": round * 1.6 });
    text.textContent = name(n);
    handle.append(make("circle", { r: round, class: "handle" }), make("circle", { r: round / 8 }), text);
    return handle;
  }));
  for (const image of [board.querySelector("image"), loupe.querySelector("image")]) {
    image.setAttribute("width", size[0]);
    image.setAttribute("height", size[1]);
  }
  board.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  draw();
}

const where = (event) => {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [point.x, point.y];
};

let held = null; // how far the corner is from the finger that holds it
function listen() {
  board.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest("[data-corner]"), here = where(event);
    event.preventDefault();
    if (handle) radios[Number(handle.dataset.corner)].checked = true;
    else put(chosen(), here);
    const from = at(chosen());
    held = [from[0] - here[0], from[1] - here[1]];
    board.setPointerCapture(event.pointerId);
    draw();
  });
  board.addEventListener("pointermove", (event) => {
    if (held) put(chosen(), where(event).map((each, axis) => each + held[axis]));
  });
  board.addEventListener("pointerup", () => {
    if (!held) return;
    held = null;
    const missing = radios.findIndex((_, n) => !at(n));
    if (missing >= 0) radios[missing].checked = true;
    draw();
  });
  board.addEventListener("pointercancel", () => { held = null; });
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  board.addEventListener("keydown", (event) => {
    const way = ways[event.key], n = Number(event.target.closest("[data-corner]")?.dataset.corner);
    if (!way || !at(n)) return;
    event.preventDefault();
    radios[n].checked = true;
    put(n, at(n).map((each, axis) => each + way[axis] * (event.shiftKey ? 1 : 5)));
  });
  for (const each of radios) each.addEventListener("change", draw);
  for (const each of numbers.flat()) each.addEventListener("change", draw);
  for (const each of document.querySelectorAll("#which input")) each.addEventListener("change", () => each.form.submit());
}

async function look() {
  if (!document.hidden && !held) {
    try {
      const told = await (await fetch("/setup.json", { cache: "no-store" })).json();
      empty.hidden = told.picture;
      if (told.size && told.size.join() !== size.join()) {
        size = told.size;
        prepare();
      }
      if (told.picture && told.stamp !== stamp) {
        stamp = told.stamp;
        for (const image of [board.querySelector("image"), loupe.querySelector("image")]) image.setAttribute("href", `/eyes.jpg?${stamp}`);
      }
    } catch { /* the next look shows it */ }
  }
  setTimeout(look, 1000);
}

if (board) {
  prepare();
  listen();
  look();
}
