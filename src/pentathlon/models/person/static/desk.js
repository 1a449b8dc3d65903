// Shows each moment and says what is chosen at it. A key that is held down chooses again at the next moment.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const canvas = find("picture"), context = canvas.getContext("2d");
  const keys = new Map(), amounts = new Map();
  let socket = null, moment = 0, waiting = false, asking = false, held = "", turn = 0;

  function make(name, text, more = {}) {
    const element = Object.assign(document.createElement(name), more);
    if (text) element.textContent = text;
    return element;
  }

  function say(text) {
    if (!waiting || !socket || socket.readyState !== WebSocket.OPEN) return;
    waiting = false;
    socket.send(JSON.stringify({ moment, text }));
  }

  const spaced = (label) => label.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/^./, (first) => first.toUpperCase());
  const keyName = (key) => key.replace(/^(Key|Digit)/, "").replace("Minus", "-").replace("Equal", "=").replace("Arrow", "");

  function choose(label) {
    if (asking) return;
    const slider = amounts.get(label);
    say(slider ? `${label} ${slider.choice.amounts[slider.input.value]}` : label);
  }

  function button(choice) {
    const one = make("button", spaced(choice.label), { type: "button", className: "choice" });
    if (choice.key) { one.append(make("kbd", keyName(choice.key))); keys.set(choice.key, choice.label); }
    one.addEventListener("click", () => {
      if (choice.label !== "Done" || window.confirm("Done with this phase?")) choose(choice.label);
      one.blur();
    });
    return one;
  }

  function wide(choice) {
    const row = make("div", "", { className: "wide" });
    const middle = Math.floor(choice.amounts.length / 10);
    const input = make("input", "", { type: "range", min: 0, max: choice.amounts.length - 1, value: middle, ariaLabel: `${choice.label}: how much` });
    const output = make("output");
    const tell = () => { output.textContent = `${choice.amounts[input.value]} ${choice.unit}`; };
    input.addEventListener("input", tell);
    tell();
    amounts.set(choice.label, { choice, input });
    row.append(button(choice), input, output);
    return row;
  }

  function begin(news) {
    find("title").textContent = document.title = news.title;
    keys.clear(); amounts.clear();
    find("groups").replaceChildren(...news.groups.map((group) => {
      const set = make("fieldset"), choices = make("div", "", { className: "choices" });
      choices.append(...group.choices.map((choice) => (choice.amounts.length ? wide(choice) : button(choice))));
      set.append(make("legend", group.name), choices);
      return set;
    }));
  }

  function show(view) {
    moment = view.moment;
    asking = view.question !== "";
    waiting = true;
    find("overlay").textContent = "";
    find("phase").textContent = view.title;
    find("told").textContent = view.told;
    find("news").textContent = view.news;
    find("dials").replaceChildren(...view.dials.map(([name, value]) => {
      const pair = make("div");
      pair.append(make("dt", name), make("dd", value));
      return pair;
    }));
    find("groups").hidden = asking;
    find("asked").hidden = !asking;
    if (asking) {
      find("question").textContent = view.question;
      find("yes-no").hidden = !view.yes_no;
      find("answer").value = "";
      find("answer").focus();
    }
    find("known").hidden = view.known.length === 0;
    find("known-list").replaceChildren(...view.known.map(([question, answer]) => {
      const item = make("li", `${question} `);
      item.append(make("b", answer));
      return item;
    }));
    find("again").hidden = view.shown === 0;
    find("frame").max = Math.max(0, view.shown - 1);
    document.body.dataset.state = asking ? "asked" : "acting";
    document.body.dataset.moment = moment;
    if (held && !asking) choose(held);
  }

  async function draw(jpeg) {
    const mine = ++turn;
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
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onmessage = ({ data }) => {
      if (data instanceof Blob) { draw(data); return; }
      const news = JSON.parse(data);
      if (news.groups) begin(news); else show(news);
    };
    socket.onclose = () => {
      waiting = false;
      document.body.dataset.state = "off";
      find("overlay").textContent = "Stopped. The same command goes on from here; this page follows it.";
      setTimeout(connect, 1000);
    };
  }

  const typing = (target) => target instanceof Element && target.closest("input:not([type=range]), textarea");

  document.addEventListener("keydown", (event) => {
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey || !keys.has(event.code)) return;
    event.preventDefault();
    held = keys.get(event.code);
    if (!event.repeat) choose(held);
  });
  document.addEventListener("keyup", () => { held = ""; });
  window.addEventListener("blur", () => { held = ""; });

  find("asked").addEventListener("submit", (event) => { event.preventDefault(); say(find("answer").value); });
  for (const one of find("yes-no").querySelectorAll("button")) one.addEventListener("click", () => say(one.value));
  find("stop").addEventListener("click", () => socket && socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ moment, stop: true })));
  find("frame").addEventListener("input", async () => {
    const number = find("frame").value;
    find("frame-number").textContent = `${Number(number) + 1}`;
    const answer = await fetch(`/shown/${number}`);
    if (answer.ok) draw(await answer.blob());
  });
  connect();
})();
