// Where a game lies on the table: all of it, single areas and their corners are moved over the picture from above.
const board = document.getElementById("zones"), picture = document.getElementById("above"), why = document.getElementById("why");
const handles = document.getElementById("handles"), whole = board.querySelector("[data-whole]");
const zones = [...board.querySelectorAll("[data-spot]")], laid = JSON.parse(board.dataset.laid);
const numbers = ["x", "y", "turn"].map((name) => document.querySelector(`input[name=${name}]`));
const larger = document.getElementById("larger"), AROUND_MM = 60;
let chosen = null; // an area; null: the whole game
let seen = board.getAttribute("viewBox").split(" ").map(Number); // all that the picture shows
let size = Number(board.dataset.handle); // of what a finger holds

const drawnOf = new Map([...board.querySelectorAll("[data-drawn]")].map((each) => [each, JSON.parse(each.dataset.drawn)]));

function lying([x, y]) { // a point of the layout, from its middle, on the table
  const turn = laid.turn * Math.PI / 180, cos = Math.cos(turn), sin = Math.sin(turn);
  return [laid.at[0] + x * cos - y * sin, laid.at[1] + x * sin + y * cos];
}

const cornersOf = (area) => laid.moved[area.dataset.spot] ?? drawnOf.get(area).map(lying);
const isConvex = (p) => p.every(([ax, ay], i) => {
  const [bx, by] = p[(i + 1) % 4], [cx, cy] = p[(i + 2) % 4];
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 40;
});

function moveBy(dx, dy, corner = null) {
  if (chosen === null) {
    laid.at = [laid.at[0] + dx, laid.at[1] + dy];
    for (const [spot, corners] of Object.entries(laid.moved)) laid.moved[spot] = corners.map(([x, y]) => [x + dx, y + dy]);
  } else {
    const moved = cornersOf(chosen).map(([x, y], n) => (corner === null || corner === n ? [x + dx, y + dy] : [x, y]));
    if (isConvex(moved)) laid.moved[chosen.dataset.spot] = moved; // an area never turns inside out
  }
  draw();
}

function turnBy(degrees) {
  const turn = degrees * Math.PI / 180, cos = Math.cos(turn), sin = Math.sin(turn), [mx, my] = laid.at;
  laid.turn = (laid.turn + degrees + 360) % 360;
  for (const [spot, corners] of Object.entries(laid.moved)) {
    laid.moved[spot] = corners.map(([x, y]) => [mx + (x - mx) * cos - (y - my) * sin, my + (x - mx) * sin + (y - my) * cos]);
  }
  draw();
}

function draw() {
  for (const [each, drawn] of drawnOf) {
    const corners = each.dataset.spot ? cornersOf(each) : drawn.map(lying);
    each.setAttribute("points", corners.map(([x, y]) => `${x.toFixed(2)},${(-y).toFixed(2)}`).join(" "));
  }
  [...handles.children].forEach((handle, n) => {
    const [x, y] = cornersOf(chosen)[n];
    handle.setAttribute("cx", x);
    handle.setAttribute("cy", -y);
    handle.setAttribute("r", size / 2);
  });
  const input = document.getElementById("laid");
  if (input) input.value = JSON.stringify(laid);
  [laid.at[0], laid.at[1], laid.turn].forEach((value, n) => { if (numbers[n]) numbers[n].value = Math.round(value * 10) / 10; });
}

function choose(area) {
  chosen = area;
  whole.setAttribute("aria-pressed", area === null);
  for (const each of zones) each.setAttribute("aria-pressed", each === area);
  const name = area ? area.getAttribute("aria-label") : board.parentElement.querySelector("#chosen").dataset.whole;
  document.getElementById("chosen").textContent = name;
  handles.replaceChildren(...(area ? cornersOf(area) : []).map((_, n) => {
    const handle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    const said = board.dataset.corner.replace("#", n + 1).replace("@", name);
    for (const [key, value] of Object.entries({ class: "handle", tabindex: 0, role: "button", "aria-label": said })) handle.setAttribute(key, value);
    handle.dataset.corner = n;
    return handle;
  }));
  draw();
}

function frame() { // all of the table, or what is around the game alone
  const points = [...drawnOf.keys()].flatMap((each) => [...each.points]), x = points.map((p) => p.x), y = points.map((p) => p.y);
  const box = larger.getAttribute("aria-pressed") !== "true" ? seen : [Math.min(...x) - AROUND_MM, Math.min(...y) - AROUND_MM,
    Math.max(...x) - Math.min(...x) + 2 * AROUND_MM, Math.max(...y) - Math.min(...y) + 2 * AROUND_MM];
  board.setAttribute("viewBox", box.join(" "));
  size = box[2] / 16;
  draw();
}

const at = (event) => {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [point.x, -point.y];
};

let held = null; // what a finger holds, and where it was
board.addEventListener("pointerdown", (event) => {
  const corner = event.target.dataset.corner, area = event.target.closest("[data-spot]");
  if (corner === undefined && area === null && !event.target.closest("[data-whole]")) return;
  event.preventDefault();
  if (corner === undefined) choose(area);
  held = { corner: corner === undefined ? null : Number(corner), from: at(event) };
  board.setPointerCapture(event.pointerId);
});
board.addEventListener("pointermove", (event) => {
  if (!held) return;
  const now = at(event);
  moveBy(now[0] - held.from[0], now[1] - held.from[1], held.corner);
  held.from = now;
});
for (const end of ["pointerup", "pointercancel"]) board.addEventListener(end, () => { held = null; });

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
board.addEventListener("keydown", (event) => {
  const corner = event.target.dataset?.corner, way = ways[event.key], step = event.shiftKey ? 1 : 5;
  if (way) {
    if (corner === undefined) take(event.target);
    moveBy(way[0] * step, way[1] * step, corner === undefined ? null : Number(corner));
  } else if (event.key === "Enter" || event.key === " ") {
    if (corner === undefined) take(event.target);
  } else return;
  event.preventDefault();
});

function take(focused) {
  const area = focused.closest("[data-spot]");
  if (area !== chosen) choose(area);
}

for (const button of document.querySelectorAll("[data-turn]")) button.addEventListener("click", () => turnBy(Number(button.dataset.turn)));
numbers.forEach((input, n) => input?.addEventListener("change", () => {
  const value = Number(input.value);
  if (!Number.isFinite(value) || input.value === "") return;
  if (n === 2) turnBy(value - laid.turn);
  else {
    const area = chosen;
    chosen = null;
    moveBy(n === 0 ? value - laid.at[0] : 0, n === 1 ? value - laid.at[1] : 0);
    chosen = area;
  }
}));
for (const radio of document.querySelectorAll("#which input")) radio.addEventListener("change", () => document.getElementById("which").submit());
larger.addEventListener("click", () => {
  larger.setAttribute("aria-pressed", larger.getAttribute("aria-pressed") !== "true");
  frame();
});
larger.hidden = false;
const turns = document.getElementById("turns");
if (turns) turns.hidden = false;
choose(null);

async function look() {
  if (!document.hidden && !held) {
    try {
      const { stamp, why: missing, box: [left, back, wide, deep] } = await (await fetch("/setup/above.json", { cache: "no-store" })).json();
      why.hidden = !missing;
      if (why.textContent !== missing) why.textContent = missing;
      if (stamp && stamp !== picture.dataset.stamp) {
        picture.dataset.stamp = stamp;
        picture.setAttribute("href", `/setup/above.jpg?${stamp}`);
        for (const [key, value] of Object.entries({ x: left, y: -back, width: wide, height: deep })) picture.setAttribute(key, value);
        seen = [left, -back, wide, deep];
        frame();
      }
    } catch { /* the next look shows it */ }
  }
  setTimeout(look, 1000);
}
look();
