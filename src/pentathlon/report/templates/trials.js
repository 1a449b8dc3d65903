// The trial list of a run: filter, search, sort, page through, and open one trial. Text is only ever set as text.
"use strict";
(() => {
  const PAGE = 50;
  const script = document.currentScript;
  const listing = JSON.parse(document.getElementById("listing").textContent);
  const { columns, total } = listing;
  const rows = new Array(total);
  const RESULT = 1, NOTE = columns.length - 1, CLUSTER = columns.length - 2, SECONDS = columns.length - 3, STEPS = columns.length - 4;
  const collator = new Intl.Collator("en", { numeric: true });
  const FILM = columns.length, FILES = Math.ceil(total / listing.rows_per_file);
  const view = { shown: [], page: 0, sort: 0, down: false, result: "all", words: "", asked: 0 };
  const find = (id) => document.getElementById(id);
  const isNumber = (column) => column > RESULT && column < CLUSTER;

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  // ---- rows lie in scripts beside the page, because pages from disk may not fetch files

  const waiting = new Map(), loaded = new Map();

  function receive(name, content) {
    loaded.set(name, content);
    for (const resolve of waiting.get(name) || []) resolve(content);
    waiting.delete(name);
  }

  function load(name) {
    if (loaded.has(name)) return Promise.resolve(loaded.get(name));
    return new Promise((resolve, reject) => {
      const others = waiting.get(name);
      waiting.set(name, [...(others || []), resolve]);
      if (others) return;
      const loader = make("script");
      loader.src = `${script.dataset.details}${name}.js`;
      loader.onerror = () => { waiting.delete(name); reject(new Error(`${loader.src} could not be read`)); };
      document.head.append(loader);
    });
  }

  window.receiveRows = (file, some) => {
    some.forEach((row, offset) => { rows[file * listing.rows_per_file + offset] = row; });
    receive(`rows-${file}`, true);
  };
  window.receiveTrials = (chunk, trials) => receive(String(chunk), trials);

  const fileOf = (index) => Math.floor(index / listing.rows_per_file);
  const loadRow = (index) => load(`rows-${fileOf(index)}`);
  const loadAll = () => Promise.all([...new Array(FILES).keys()].map((file) => load(`rows-${file}`)));

  // ---- the list

  function compare(a, b) {
    if (view.sort === 0) return view.down ? b - a : a - b;
    const x = rows[a][view.sort], y = rows[b][view.sort];
    if (x === null || y === null) return (x === null) - (y === null);
    const order = typeof x === "number" ? x - y : collator.compare(x, y);
    return (view.down ? -order : order) || a - b;
  }

  async function select() {
    const words = view.words.toLowerCase().split(/\s+/).filter(Boolean);
    const asked = ++view.asked;
    // In the order they lie in, only the rows of a page are needed.
    if (words.length || view.result !== "all" || view.sort !== 0) {
      if (loaded.size < FILES) find("position").textContent = "Reading all trials …";
      await loadAll();
      if (asked !== view.asked) return;
    }
    view.shown = [...new Array(total).keys()].filter((index) => {
      if (!words.length && view.result === "all") return true;
      const row = rows[index];
      if (view.result !== "all" && row[RESULT] !== view.result) return false;
      const text = `${row[0]} ${row[CLUSTER]} ${row[NOTE]}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }).sort(compare);
    view.page = 0;
    await draw();
  }

  function cell(index, column) {
    const row = rows[index];
    if (column === 0) {
      const link = make("a", "", row[0], row[FILM] ? make("span", "film", " (video)") : "");
      link.href = `#trial=${encodeURIComponent(row[0])}`;
      return make("td", "", link);
    }
    const value = row[column] === null ? "–" : String(row[column]);
    return make("td", cellClass(column, row), value);
  }

  function cellClass(column, row) {
    if (column === RESULT) return row[RESULT];
    if (column === NOTE) return "note minor";
    const minor = column > RESULT + 1 ? " minor" : "";
    return (isNumber(column) ? "number" : "") + minor;
  }

  async function draw() {
    const pages = Math.max(1, Math.ceil(view.shown.length / PAGE));
    const start = view.page * PAGE;
    const visible = view.shown.slice(start, start + PAGE);
    await Promise.all(visible.map(loadRow));
    find("rows").replaceChildren(...visible.map((index) => make("tr", "", ...columns.map((_, column) => cell(index, column)))));
    find("position").textContent = visible.length
      ? `${(start + 1).toLocaleString("en")}–${(start + visible.length).toLocaleString("en")} of ${view.shown.length.toLocaleString("en")}`
      : "No trial matches.";
    find("back").disabled = view.page === 0;
    find("forth").disabled = view.page >= pages - 1;
    for (const [column, head] of [...find("heads").children].entries()) {
      head.setAttribute("aria-sort", column === view.sort ? (view.down ? "descending" : "ascending") : "none");
    }
  }

  function drawHeads() {
    find("heads").append(...columns.map((title, column) => {
      const button = make("button", "", title);
      button.type = "button";
      button.addEventListener("click", () => {
        view.down = view.sort === column && !view.down;
        view.sort = column;
        select();
      });
      const minor = column > RESULT + 1 ? " minor" : "";
      const head = make("th", (isNumber(column) ? "number" : "") + minor, listing.used[column] ? button : "");
      head.scope = "col";
      return head;
    }));
  }

  function drawFilter() {
    for (const [result, count] of [["all", total], ...Object.entries(listing.results)]) {
      const radio = make("input");
      radio.type = "radio";
      radio.name = "result";
      radio.value = result;
      radio.checked = result === "all";
      radio.addEventListener("change", () => { view.result = result; select(); });
      find("filter").append(make("label", "", radio, `${result} ${count.toLocaleString("en")}`));
    }
  }

  // ---- one trial

  async function details(index) {
    return (await load(String(Math.floor(index / listing.chunk))))[index % listing.chunk];
  }

  function facts(pairs) {
    return make("dl", "facts", ...pairs.filter(([, value]) => value !== "").map(([name, value]) =>
      make("div", "", make("dt", "", name), make("dd", "", String(value)))));
  }

  function section(title, ...content) {
    return make("section", "", make("h3", "", title), ...content);
  }

  function media([name, link]) {
    const kind = link.split(".").pop().toLowerCase();
    if (["mp4", "webm"].includes(kind)) {
      const video = make("video");
      Object.assign(video, { controls: true, preload: "metadata", playsInline: true, src: link });
      video.setAttribute("aria-label", name);
      // As wide as its height limit allows, so that no black bars are drawn beside it.
      video.addEventListener("loadedmetadata", () => { video.style.maxWidth = `calc(60dvh * ${video.videoWidth / video.videoHeight})`; });
      return make("figure", "", video, make("figcaption", "", name));
    }
    if (["png", "jpg", "jpeg", "gif", "webp", "svg"].includes(kind)) {
      const image = make("img");
      Object.assign(image, { src: link, alt: name });
      return make("figure", "", image, make("figcaption", "", name));
    }
    const file = make("a", "", name);
    file.href = link;
    return make("p", "", file);
  }

  function written(value) {
    if (typeof value === "string") return value;
    const flat = Array.isArray(value) && value.every((item) => item === null || typeof item !== "object");
    return flat ? value.join(", ") : JSON.stringify(value, null, 2);
  }

  function pageList(pages) {
    return make("ul", "", ...pages.map(([title, address]) => {
      const link = make("a", "", title);
      link.href = address;
      return make("li", "", link);
    }));
  }

  function trialBody(row, trial) {
    const parts = trial.pages.length ? [section("videos", pageList(trial.pages))] : trial.artifacts.map(media);
    if (trial.missing.length) parts.push(make("p", "note", `Not found in the run folder: ${trial.missing.join(", ")}`));
    if (trial.error) parts.push(section("error", make("pre", "error", trial.error)));
    const metrics = Object.entries(trial.metrics).map(([name, value]) => [name, Number(value.toPrecision(6))]);
    if (metrics.length) parts.push(section("metrics", facts(metrics)));
    for (const [name, value] of Object.entries(trial.details)) parts.push(section(name, make("pre", "", written(value))));
    const record = [["steps", row[STEPS]], ["seconds", row[SECONDS]], ["cluster", row[CLUSTER]], ["seed", trial.seed]];
    return [...parts, section("record", facts(record))];
  }

  const dialog = find("trial");
  let current = null;

  async function open(index) {
    current = index;
    await loadRow(index);
    if (current !== index) return;
    const row = rows[index];
    find("trial-title").replaceChildren(row[0], " ", make("small", row[RESULT], row[RESULT]));
    const place = view.shown.indexOf(index);
    find("trial-back").disabled = place <= 0;
    find("trial-forth").disabled = place < 0 || place >= view.shown.length - 1;
    if (!dialog.open) dialog.showModal();
    try {
      const trial = await details(index);
      if (current === index) find("trial-body").replaceChildren(...trialBody(row, trial));
    } catch (error) {
      find("trial-body").replaceChildren(make("p", "bad", error.message));
    }
    dialog.scrollTop = 0;
  }

  async function step(by) {
    const next = view.shown[view.shown.indexOf(current) + by];
    if (next === undefined) return;
    await loadRow(next);
    history.replaceState(null, "", `#trial=${encodeURIComponent(rows[next][0])}`);
    open(next);
  }

  async function indexOfTrial(name) {
    const named = (row) => row && row[0] === name;
    const index = rows.findIndex(named);
    if (index >= 0) return index;
    await loadAll();
    return rows.findIndex(named);
  }

  async function follow() {
    const match = /^#trial=(.*)$/.exec(location.hash);
    const index = match ? await indexOfTrial(decodeURIComponent(match[1])) : -1;
    if (index < 0) dialog.close();
    else open(index);
  }

  dialog.addEventListener("close", () => {
    current = null;
    find("trial-body").replaceChildren();
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLMediaElement) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  find("trial-close").addEventListener("click", () => dialog.close());
  find("trial-back").addEventListener("click", () => step(-1));
  find("trial-forth").addEventListener("click", () => step(1));
  find("back").addEventListener("click", () => { view.page -= 1; draw(); });
  find("forth").addEventListener("click", () => { view.page += 1; draw(); });
  find("search").addEventListener("input", (event) => { view.words = event.target.value; select(); });
  window.addEventListener("hashchange", follow);

  drawHeads();
  drawFilter();
  select().then(follow);
})();
