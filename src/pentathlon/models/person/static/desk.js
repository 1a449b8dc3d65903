// Shows each moment and says what is chosen at it. A choice made while the last one is carried out waits for its turn.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const REPEAT_MS = 120;
  const canvas = find("picture"), context = canvas.getContext("2d");
  const keys = new Map(), amounts = new Map();
  let socket = null, moment = 0, phase = "", waiting = false, asking = false, pending = "", saidAt = 0, turn = 0;

  function make(name, text, more = {}) {
    const element = Object.assign(document.createElement(name), more);
    if (text) element.textContent = text;
    return element;
  }

  function say(text) {
    if (!waiting || !socket || socket.readyState !== WebSocket.OPEN) return;
    waiting = false;
    saidAt = performance.now();
    socket.send(JSON.stringify({ moment, text: text.toWellFormed ? text.toWellFormed() : text }));
  }

  const spaced = (label) => label.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/^./, (first) => first.toUpperCase());
  const keyName = (key) => key.replace(/^(Key|Digit)/, "").replace("Minus", "-").replace("Equal", "=").replace("Arrow", "");

  function choose(label) {
    if (asking) return;
    if (!waiting) { pending = label; return; }
    const slider = amounts.get(label);
    say(slider ? `${label} ${slider.choice.amounts[slider.input.value]}` : label);
  }

  function button(choice) {
    const one = make("button", spaced(choice.label), { type: "button", className: "choice" });
    if (choice.key) {
      const shown = make("kbd", keyName(choice.key));
      shown.dataset.key = choice.key;
      one.append(shown);
      keys.set(choice.key, choice.label);
    }
    one.addEventListener("click", (event) => {
      if (choice.label !== "Done" || window.confirm("Done with this phase?")) choose(choice.label);
      if (event.detail > 0) one.blur();  // a mouse's; so that keys go on
    });
    return one;
  }

  function wide(choice) {
    const row = make("div", "", { className: "wide" });
    const before = amounts.get(choice.label), value = before ? before.input.value : Math.floor(choice.amounts.length / 10);
    const input = make("input", "", { type: "range", min: 0, max: choice.amounts.length - 1, value, ariaLabel: `${choice.label}: how much` });
    const output = make("output");
    const tell = () => { output.textContent = input.ariaValueText = `${choice.amounts[input.value]} ${choice.unit}`; };
    input.addEventListener("input", tell);
    tell();
    amounts.set(choice.label, { choice, input });
    row.append(button(choice), input, output);
    return row;
  }

  async function nameKeys() {
    const layout = navigator.keyboard && navigator.keyboard.getLayoutMap ? await navigator.keyboard.getLayoutMap() : new Map();
    for (const shown of document.querySelectorAll("kbd[data-key]")) {
      const name = layout.get(shown.dataset.key);
      if (name) shown.textContent = name.toUpperCase();
    }
  }

  function begin(news) {
    find("title").textContent = document.title = news.title;
    keys.clear();
    find("groups").replaceChildren(...news.groups.map((group) => {
      const set = make("fieldset"), choices = make("div", "", { className: "choices" });
      choices.append(...group.choices.map((choice) => (choice.amounts.length ? wide(choice) : button(choice))));
      set.append(make("legend", group.name), choices);
      return set;
    }));
    nameKeys();
  }

  function showQuestion(view) {
    find("question").textContent = view.question;
    find("yes-no").hidden = !view.yes_no;
    find("answer").value = "";
    find("answer").focus();
  }

  function show(view) {
    const newPhase = phase !== view.title;
    asking = view.question !== "";
    if (asking) showQuestion(view);
    moment = view.moment;
    phase = view.title;
    waiting = true;
    find("overlay").textContent = "";
    if (newPhase) find("phase").textContent = view.title;
    find("told").textContent = view.told;
    find("news").textContent = view.news;
    find("dials").replaceChildren(...view.dials.map(([name, value]) => {
      const pair = make("div");
      pair.append(make("dt", name), make("dd", value));
      return pair;
    }));
    find("groups").hidden = asking;
    find("asked").hidden = !asking;
    find("known").hidden = view.known.length === 0;
    find("known-list").start = view.known_from;
    find("known-list").replaceChildren(...view.known.map(([question, answer]) => {
      const item = make("li", `${question} `);
      item.append(make("b", answer));
      return item;
    }));
    find("again").hidden = view.shown === 0;
    if (newPhase && view.shown) {
      find("frame").max = find("frame").value = view.shown - 1;
      find("frame-number").textContent = `${view.shown} of ${view.shown}`;
    }
    document.body.dataset.state = asking ? "asked" : "acting";
    document.body.dataset.moment = moment;
    const next = pending;
    pending = "";
    if (next && !asking && !newPhase) choose(next);
  }

  function tell(status) {
    waiting = false;
    find("overlay").textContent = status;
  }

  async function draw(jpeg, mine = ++turn) {
    const picture = await createImageBitmap(jpeg);
    if (mine === turn) {  // an older one may be unpacked later
      canvas.width = picture.width;
      canvas.height = picture.height;
      context.drawImage(picture, 0, 0);
      document.body.dataset.frames = Number(document.body.dataset.frames || 0) + 1;
    }
    picture.close();
  }

  function connect() {
    let goodbye = "Not connected. Give the same command again; nothing is lost.";
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onmessage = ({ data }) => {
      if (data instanceof Blob) { draw(data); return; }
      const news = JSON.parse(data);
      if (news.groups) begin(news); else if (news.status) tell(goodbye = news.status); else show(news);
    };
    socket.onclose = () => {
      tell(goodbye);
      document.body.dataset.state = "off";
      setTimeout(connect, 1000);
    };
  }

  const within = (target, what) => target instanceof Element && target.closest(what);

  document.addEventListener("keydown", (event) => {
    if (asking || within(event.target, "input:not([type=range]), textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!keys.has(event.code) || (event.code === "Space" && within(event.target, "button, summary"))) return;
    event.preventDefault();
    if (event.repeat && (!waiting || performance.now() - saidAt < REPEAT_MS)) return;
    choose(keys.get(event.code));
  });

  find("asked").addEventListener("submit", (event) => {
    event.preventDefault();
    const said = find("answer").value.trim();
    if (said) say(said);
  });
  for (const one of find("yes-no").querySelectorAll("button")) {
    // The second click of a double one belongs to the question before.
    one.addEventListener("click", (event) => { if (event.detail < 2) say(one.value); });
  }
  find("stop").addEventListener("click", () => {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ moment, stop: true }));
  });
  find("frame").addEventListener("input", async () => {
    const number = Number(find("frame").value), mine = ++turn;
    find("frame-number").textContent = `${number + 1} of ${Number(find("frame").max) + 1}`;
    const answer = await fetch(`/shown/${number}`);
    if (answer.ok) draw(await answer.blob(), mine);
  });
  connect();
})();
