// The console works without this file. It says which time zone the reader has, so that times need no question.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = new URLSearchParams(location.search).get("zone");
  if (!zone || known || sessionStorage.getItem("zone") === zone || !document.querySelector("main time")) return;
  sessionStorage.setItem("zone", zone);
  const address = new URL(location.href);
  address.searchParams.set("zone", zone);
  fetch(address, { credentials: "same-origin" });
})();

// Heads of whole tables sort their rows. Without this file rows stay in the order of the page.
const addSorting = (() => {
  const read = (cell) => {
    if (cell.dataset.sort) return Number(cell.dataset.sort);
    const time = cell.querySelector("time");
    if (time) return Date.parse(time.dateTime);
    const text = cell.textContent.trim();
    const number = Number(text.replace(/[,%\s+±≈]/g, "").replace("−", "-"));
    return text === "" || text === "—" ? -Infinity : Number.isNaN(number) ? text : number;
  };
  const compare = (one, other) => typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), document.documentElement.lang, { numeric: true });
  const sort = (head) => {
    const sign = head.ariaSort === "descending" ? 1 : -1;
    for (const each of head.parentElement.cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const body = head.closest("table").tBodies[0];
    const place = (row) => read(row.cells[head.cellIndex]);
    body.append(...[...body.rows].sort((one, other) => sign * compare(place(one), place(other))));
  };
  return () => {
    for (const head of document.querySelectorAll("table.sorts thead th:not(:has(a, button, .vh))")) {
      const button = document.createElement("button");
      [button.type, button.className] = ["button", "plain"];
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(head));
      head.append(button);
    }
  };
})();
addSorting();

// Live parts: numbers of runs change in place, other changes load the list again or offer to. Without this file, reload the page.
(() => {
  const place = document.querySelector("[data-live]");
  if (!place || !window.EventSource) return;
  const written = { rate: (n) => n.toFixed(2) };
  const text = (name, value) => value === null ? "—" : (written[name] || ((n) => n.toLocaleString("en-US")))(value);
  const load = async () => {
    const answer = await fetch(location.href, { credentials: "same-origin" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of ["h1", ".tabs", "#list"]) {
      const [old, now] = [document.querySelector(part), page.querySelector(part)];
      if (old && now) old.replaceWith(now);
    }
    document.title = page.title;
    addSorting();
  };
  const showRuns = (runs) => {
    const rows = [...document.querySelectorAll("#list tr[data-run]")];
    const known = new Set(rows.map((row) => row.dataset.run));
    const going = Object.keys(runs).filter((key) => runs[key].state === "running");
    if (rows.some((row) => runs[row.dataset.run] && runs[row.dataset.run].state !== row.dataset.state) || going.some((key) => !known.has(key))) {
      load();
      return;
    }
    for (const row of rows) {
      const run = runs[row.dataset.run] || {};
      for (const cell of row.querySelectorAll("[data-live-number]")) {
        const name = cell.dataset.liveNumber;
        if (name in run) cell.textContent = text(name, run[name]);
      }
    }
  };
  let first = "";
  const showNews = (data) => {
    if (!first) first = data;
    else if (data !== first) place.hidden = false;
  };
  const stream = new EventSource(place.dataset.live);
  stream.addEventListener("runs", (event) => place.dataset.livePart === "runs" && showRuns(JSON.parse(event.data)));
  stream.addEventListener("today", (event) => place.dataset.livePart === "today" && showNews(event.data));
  addEventListener("pagehide", () => stream.close());
})();

// Drag over the picture of a spread to see that span only; without this file its links do.
addEventListener("pointerdown", (down) => {
  const picture = down.target.closest("svg[data-zoom]");
  if (!picture || down.button || down.target.closest("a")) return;
  const box = picture.getBoundingClientRect();
  const place = (event) => Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["class", "sel"], ["height", "100%"], ["width", "0"]]) mark.setAttribute(name, value);
  picture.append(mark);
  const begin = place(down);
  const draw = (event) => {
    mark.setAttribute("x", `${100 * Math.min(begin, place(event))}%`);
    mark.setAttribute("width", `${100 * Math.abs(place(event) - begin)}%`);
  };
  const end = (event) => {
    removeEventListener("pointermove", draw);
    mark.remove();
    const [first, last] = [begin, place(event)].sort((a, b) => a - b);
    if (event.type !== "pointerup" || (last - first) * box.width < 8) return;
    const [from, to] = [Number(picture.dataset.from), Number(picture.dataset.to)];
    const address = new URL(picture.dataset.zoom, location.href);
    const since = Math.floor(from + first * (to - from));
    address.searchParams.set("since", since);
    address.searchParams.set("until", Math.max(since + 1, Math.ceil(from + last * (to - from))));
    location.assign(`${address}#who`);
  };
  addEventListener("pointermove", draw);
  addEventListener("pointerup", end, { once: true });
  addEventListener("pointercancel", end, { once: true });
});

// Keys: / searches, j and k go through rows, t shows exact times, ? says so. Without this file, Tab and the pointer do.
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const rows = () => [...document.querySelectorAll("main tbody tr")].filter((row) => row.offsetParent && row.querySelector("a"));
  const go = (by) => {
    const all = rows();
    const now = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by];
    next?.querySelector("a").focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const acts = {
    "/": () => document.querySelector(".seek input")?.focus(),
    j: () => go(1),
    k: () => go(-1),
    t: () => document.body.classList.toggle("exact"),
    "?": () => document.getElementById("keys")?.togglePopover(),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
});
