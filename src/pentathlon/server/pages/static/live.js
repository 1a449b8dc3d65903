// Keeps a part of the page fresh: asks for it every two seconds while somebody looks, and swaps it in when it changed.
"use strict";
(() => {
  const EVERY_MS = 2000, PICTURE_EVERY_MS = 1000, PATIENCE_MS = 15000;
  const live = document.getElementById("live");
  const spoken = document.getElementById("spoken");
  const picture = document.querySelector("img[data-picture]");
  let shown = "", wait = EVERY_MS;

  // What is focused may be swapped; its twin in the new part gets the focus.
  function key(element) {
    return element && (element.id || element.getAttribute("href") || (element.form && element.form.getAttribute("action")));
  }

  // What somebody has opened, such as the question whether to cancel, stays open.
  const places = (part) => Array.from(part.querySelectorAll("details"));

  function swap(part) {
    const focus = live.contains(document.activeElement) ? key(document.activeElement) : "";
    const open = new Set(Array.from(live.querySelectorAll("details[open]"), (details) => places(live).indexOf(details)));
    const log = live.querySelector("[data-tail]");
    const atEnd = !log || log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    const place = log ? log.scrollTop : 0;
    live.replaceChildren(...part.childNodes);
    places(live).forEach((details, index) => { details.open = open.has(index); });
    settle(atEnd, place);
    if (!focus) return;
    for (const element of live.querySelectorAll("a, button, summary, [tabindex]")) {
      if (key(element) === focus) { element.focus({ preventScroll: true }); return; }
    }
  }

  function closed(part) {
    const copy = part.cloneNode(true);
    for (const details of places(copy)) details.removeAttribute("open");
    return copy.innerHTML.trim();
  }

  function settle(atEnd, place) {
    const log = live.querySelector("[data-tail]");
    if (log) log.scrollTop = atEnd ? log.scrollHeight : place;
  }

  function speak() {
    const said = live.querySelector("[data-speak]");
    const text = said ? said.textContent.replace(/\s+/g, " ").trim() : "";
    if (spoken && text !== shown) spoken.textContent = shown = text;
  }

  async function refresh() {
    const answer = await fetch(live.dataset.live, { headers: { Accept: "text/html" } });
    if (answer.redirected) { location.reload(); return false; }
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = live.dataset.part ? page.querySelector(live.dataset.part) : page.body;
    if (!part) return false;
    const goesOn = !part.querySelector("[data-done]") && (!live.dataset.part || part.dataset.live !== undefined);
    if (part.innerHTML.trim() !== closed(live)) swap(part);
    speak();
    return goesOn;
  }

  async function loop() {
    let goesOn = true;
    if (!document.hidden) {
      try { goesOn = await refresh(); wait = EVERY_MS; } catch { wait = Math.min(2 * wait, PATIENCE_MS); }
    }
    if (goesOn) setTimeout(loop, wait);
  }

  function look() {
    const has = live && live.querySelector("[data-has-picture]");
    if (document.hidden || !has) { setTimeout(look, PICTURE_EVERY_MS); return; }
    const next = new Image();
    next.onload = () => {
      picture.src = next.src;
      picture.hidden = false;
      document.getElementById("no-view").hidden = true;
      setTimeout(look, PICTURE_EVERY_MS);
    };
    next.onerror = () => setTimeout(look, 5 * PICTURE_EVERY_MS);
    next.src = `${picture.dataset.picture}?at=${Date.now()}`;
  }

  if (!live) return;
  settle(true, 0);
  speak();
  if (live.dataset.live) setTimeout(loop, EVERY_MS);
  if (picture) setTimeout(look, PICTURE_EVERY_MS);
})();
