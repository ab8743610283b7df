"use strict";
const tracks = JSON.parse(document.getElementById("tracks").textContent);
const element = (id) => document.getElementById(id);
const said = document.querySelector(".nav output"), mark = document.querySelector(".graph .at");
const here = [...document.querySelectorAll(".here")], stage = document.querySelector(".stage");
const names = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const last = (name) => tracks[name].length - 1;
let track = "game", at = 0, home = 0;

function drawn(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}
function corner(square) {
  const turned = stage.classList.contains("flipped") ? 63 - square : square;
  return [(turned % 8) * 45, (7 - Math.floor(turned / 8)) * 45];
}
function men(fen) {
  const found = [];
  fen.split("/").forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { x += Number(letter); continue; }
      const colour = letter === letter.toLowerCase() ? "black" : "white";
      const [left, top] = corner((7 - y) * 8 + x);
      found.push(drawn("use", { href: `#${colour}-${names[letter.toLowerCase()]}`, transform: `translate(${left} ${top})` }));
      x += 1;
    }
  });
  return found;
}
function arrow([from, to, kind]) {
  const [x1, y1] = corner(from), [x2, y2] = corner(to), length = Math.hypot(x2 - x1, y2 - y1);
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length, px = x2 + 22.5 - 14 * ux, py = y2 + 22.5 - 14 * uy;
  const group = drawn("g", { class: `arrow ${kind}` });
  group.append(drawn("line", { x1: x1 + 22.5, y1: y1 + 22.5, x2: px, y2: py }), drawn("polygon", {
    points: [[px + 13 * ux, py + 13 * uy], [px - 10 * uy, py + 10 * ux], [px + 10 * uy, py - 10 * ux]].join(" ") }));
  return group;
}
function coordinates() {
  const found = [];
  for (let index = 0; index < 8; index += 1) {
    const isTurned = stage.classList.contains("flipped"), place = isTurned ? 7 - index : index;
    found.push(drawn("text", { x: index * 45 + 37, y: 357 }, "abcdefgh"[place]));
    found.push(drawn("text", { x: 2, y: index * 45 + 11 }, String(8 - place)));
  }
  element("coordinates").replaceChildren(...found);
}
function show(name, next, follow) {
  track = name;
  at = Math.max(0, Math.min(last(track), next));
  if (track === "game") home = at;
  const [fen, text, squares, sign, arrows] = tracks[track][at];
  element("pieces").replaceChildren(...men(fen));
  element("arrows").replaceChildren(...arrows.map(arrow));
  here.forEach((square, index) => {
    square.setAttribute("visibility", squares.length ? "visible" : "hidden");
    if (!squares.length) return;
    const [x, y] = corner(squares[index]);
    square.setAttribute("x", x);
    square.setAttribute("y", y);
  });
  const badge = element("badge");
  badge.setAttribute("visibility", sign ? "visible" : "hidden");
  if (sign) {
    const [x, y] = corner(squares[1]);
    badge.setAttribute("transform", `translate(${Math.min(x + 40, 350)} ${Math.max(y + 5, 10)})`);
    badge.setAttribute("class", sign === "!" ? "good" : "bad");
    badge.lastChild.textContent = sign;
  }
  const kind = track.split("-")[0];
  said.textContent = track === "game" ? text : at ? `${kind}: ${text}` : `${text}; green is better`;
  const x = 600 * home / Math.max(last("game"), 1);
  mark.setAttribute("x1", x);
  mark.setAttribute("x2", x);
  for (const link of document.querySelectorAll("[data-track]")) {
    const isHere = link.dataset.track === track && Number(link.dataset.at) === at && (at > 0 || track === "game");
    if (isHere) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    if (isHere && follow && track === "game") link.scrollIntoView({ block: "nearest" });
  }
}
function enter(name, place) {
  if (name !== "game") home = Number(name.split("-")[1]) - 1;
  show(name, place);
}
function walk(step) {
  if (step === "flip") { stage.classList.toggle("flipped"); coordinates(); show(track, at); }
  else if (step === "start") show("game", 0, true);
  else if (step === "end") show(track, last(track), true);
  else if (track !== "game" && at + Number(step) < 0) show("game", home, true);
  else show(track, at + Number(step), true);
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-track]"), button = event.target.closest("[data-step]");
  const graph = event.target.closest(".graph");
  if (link) { event.preventDefault(); enter(link.dataset.track, Number(link.dataset.at)); }
  else if (button) walk(button.dataset.step);
  else if (graph) {
    const box = graph.getBoundingClientRect();
    show("game", Math.round((event.clientX - box.left) / box.width * last("game")), true);
  }
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "-1", ArrowRight: "1", Home: "start", End: "end", f: "flip" }[event.key];
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (step) { event.preventDefault(); walk(step); }
  if (event.key === "Escape") show("game", home, true);
});
coordinates();
const asked = `played-${location.hash.replace("#mark-", "")}`;
if (tracks[asked]) enter(asked, 0); else show("game", 0);
