"use strict";
const boards = JSON.parse(document.getElementById("boards").textContent);
const pieces = document.getElementById("pieces"), said = document.querySelector(".nav output");
const here = [...document.querySelectorAll(".here")], mark = document.querySelector(".graph .at");
const names = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
let at = 0;
function show(next, follow) {
  at = Math.max(0, Math.min(boards.length - 1, next));
  const [fen, text, squares] = boards[at];
  pieces.replaceChildren();
  fen.split("/").forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { x += Number(letter); continue; }
      const piece = document.createElementNS("http://www.w3.org/2000/svg", "use");
      const colour = letter === letter.toLowerCase() ? "black" : "white";
      piece.setAttribute("href", `#${colour}-${names[letter.toLowerCase()]}`);
      piece.setAttribute("transform", `translate(${x * 45} ${y * 45})`);
      pieces.append(piece);
      x += 1;
    }
  });
  here.forEach((square, index) => {
    square.setAttribute("visibility", squares.length ? "visible" : "hidden");
    if (squares.length) {
      square.setAttribute("x", (squares[index] % 8) * 45);
      square.setAttribute("y", (7 - Math.floor(squares[index] / 8)) * 45);
    }
  });
  said.textContent = text;
  const x = 600 * at / Math.max(boards.length - 1, 1);
  mark.setAttribute("x1", x);
  mark.setAttribute("x2", x);
  for (const link of document.querySelectorAll(".moves a")) {
    const isHere = Number(link.dataset.ply) === at;
    if (isHere) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    if (isHere && follow) link.scrollIntoView({ block: "nearest" });
  }
}
document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-ply],[data-step]");
  const graph = event.target.closest(".graph");
  if (target) {
    event.preventDefault();
    show(target.dataset.ply ? Number(target.dataset.ply) : target.dataset.step === "end" ? boards.length : target.dataset.step === "start" ? 0 : at + Number(target.dataset.step));
  } else if (graph) {
    const box = graph.getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * (boards.length - 1)));
  }
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
  if (step) { event.preventDefault(); show(at + step, true); }
});
show(0);
