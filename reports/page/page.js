// The list of cases: filters, sorts and shows what the page carries. Texts of a record only ever become text nodes.
"use strict";
const ROW = 26, PRINTED = 300;
const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const state = { text: "", facets: new Set(), verdicts: new Set(), api: null, record: null, sort: "verdict", down: false };
let data, ids, haystack, chinese, order = [], current = -1, opened = null;
const blocks = new Map();

// Elements: node("p", {class: "x", onclick: f}, "text", child).
function node(tag, attributes, ...children) {
  const svg = ["svg", "rect", "text", "title"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

async function unpacked(id) {
  const text = atob($(id).textContent);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

// Words: say("passed") in the chosen language, {names} replaced by figures.
const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a page of its own has no store */ } };
const language = () => (root.lang === "zh" ? 1 : 0);
function say(key, figures) {
  const words = data.translations[key];
  const text = words ? words[language()] : key;
  return figures ? text.replace(/\{(\w+)\}/g, (_, name) => figures[name]) : text;
}
// Sentences: tell("not a case for ascend950") in Chinese by the forms that the page carries, nested ones too. What fits
// no form is tried in pieces, and stays as it is in the end.
const TOLD = 2000, memo = new Map();
const NESTED = {
  told: known,
  action: known,
  outcome: known,
  any: tell,
  list: (text) => listed(text, "\uff0c"),
  arguments: (text) => listed(text, ", "),
  verdict: (word) => say(word),
  comparison: (word) => say(word),
};
// The sentence in Chinese; null where it is not known as a whole.
function known(text) {
  if (!memo.has(text)) memo.set(text, text.length > TOLD ? null : fitted(text) ?? inPieces(text));
  return memo.get(text);
}
function fitted(text) {
  for (const form of data.forms) {
    const [pattern, slots, chinese, literal] = form;
    if (!text.includes(literal)) continue;
    form.read ??= new RegExp(pattern, "su");
    const found = form.read.exec(text);
    const said = found && slots.map((slot, at) => (NESTED[slot.replace(/\d$/, "")] || String)(found[at + 1]));
    if (said && !said.includes(null)) return chinese.replace(/\{(\w+)\}/g, (_, slot) => said[slots.indexOf(slot)]);
  }
  return null;
}
const joined = (said, mark) => (said.includes(null) ? null : said.join(mark));
const inPieces = (text) => (text.includes("; ") ? joined(text.split("; ").map(known), "\uff1b") : null);
const listed = (text, mark) => joined(text.split(/, (?![^([]*[)\]])/).map(known), mark);
function tell(text) {
  const pieces = text.split("; "), said = known(text) === null ? pieces.map(known) : [known(text)];
  return said.some((one) => one !== null) ? said.map((one, at) => one ?? pieces[at]).join("\uff1b").trim() : text;
}
// A text of the suite in the chosen language, and the English one to search for where that is another.
const told = (text) => (language() ? tell(text) : text);
const original = (text, shown) => (text === shown ? null : text);

function translate(chosen) {
  root.lang = chosen;
  store("conformance-language", chosen);
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = say(element.dataset.t);
  for (const element of document.querySelectorAll("[data-told]")) {
    element.dataset.told ||= element.textContent;
    element.textContent = told(element.dataset.told);
    element.title = original(element.dataset.told, element.textContent) || "";
  }
  for (const element of document.querySelectorAll("[data-tip]")) {
    element.dataset.tip ||= element.title;
    element.title = told(element.dataset.tip);
  }
  for (const element of document.querySelectorAll("[data-place]")) {
    element.placeholder = say(element.dataset.place);
    element.setAttribute("aria-label", element.placeholder);
  }
  $("list").setAttribute("aria-label", say("cases"));
  $("language").textContent = say("language");
  $("language").lang = chosen === "zh" ? "en" : "zh";
  drawFilters();
  drawColumns();
  drawRows();
  if (opened !== null) open(opened);
}

// Which cases are shown, and in which order.
function matching() {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = [...state.facets].map((word) => data.words.indexOf(word));
  const sets = data.sets.map((set) => wanted.every((word) => set.includes(word)));
  const read = language() && /[^\0-\x7f]/.test(state.text) ? inChinese() : null;
  const found = [];
  for (let at = 0; at < ids.length; at++) {
    if (!sets[data.facets[at]]) continue;
    if (state.verdicts.size && !state.verdicts.has(data.verdict[at])) continue;
    if (state.api !== null && data.api[at] !== state.api) continue;
    if (state.record !== null && data.record[at] !== state.record) continue;
    const has = (word) => haystack[at].includes(word) || (read && (read[data.reason[at]].includes(word) || read[data.signature[at]].includes(word)));
    if (words.every(has)) found.push(at);
  }
  return found;
}
// Reasons and signatures in Chinese, made when a search first asks for them.
const inChinese = () => (chinese ??= data.texts.map((text) => tell(text).toLowerCase()));
const number = (value) => (value === null || value === undefined ? -1 : value === "nan" ? Infinity : Number(value.toString().replace("inf", "Infinity")));
const KEYS = {
  verdict: (at) => data.verdict[at],
  id: null,
  product: (at) => data.record[at],
  headroom: (at) => -number(data.headroom[at]),
  ms: (at) => -data.ms[at],
};
function sorted(found) {
  const sign = state.down ? -1 : 1;
  const key = KEYS[state.sort];
  if (!key) return found.sort((a, b) => sign * (ids[a] < ids[b] ? -1 : ids[a] > ids[b] ? 1 : a - b));
  const keys = Float64Array.from(ids, (_, at) => key(at));
  return found.sort((a, b) => sign * (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0) || a - b);
}
function update() {
  order = sorted(matching());
  current = opened === null ? -1 : order.indexOf(opened);
  $("list").scrollTop = 0;
  drawFilters();
  drawColumns();
  drawRows();
}

// Controls above the list.
function drawFilters() {
  $("shown").textContent = `${order.length} ${say("of")} ${ids.length}`;
  const counts = new Array(data.verdicts.length).fill(0);
  for (const verdict of data.verdict) counts[verdict]++;
  $("verdicts").replaceChildren(...data.verdicts.map((name, at) => counts[at] && node("button", {
    type: "button", class: `v-${name}`, "aria-pressed": state.verdicts.has(at),
    onclick: () => { state.verdicts.delete(at) || state.verdicts.add(at); update(); },
  }, `${say(name)} ${counts[at]}`)).filter(Boolean).flatMap((button) => [button, " "]));
  const chips = [...state.facets].map((word) => [word, () => state.facets.delete(word)]);
  if (state.api !== null) chips.push([data.apis[state.api], () => { state.api = null; }]);
  if (state.record !== null) chips.push([data.records[state.record].product, () => { state.record = null; }]);
  $("chosen").replaceChildren(...chips.map(([word, remove]) => node("button", {
    type: "button", onclick: () => { remove(); update(); },
  }, `${word} \u00d7`)));
}
function drawColumns() {
  const names = ["verdict", "id", ...(data.records.length > 1 ? ["product"] : []), "headroom", "ms"];
  $("columns").replaceChildren(...names.map((name) => node("button", {
    type: "button", class: ["headroom", "ms"].includes(name) ? "number" : null,
    onclick: () => { state.down = state.sort === name && !state.down; state.sort = name; update(); },
  }, say(name) + (state.sort === name ? (state.down ? " \u25b4" : " \u25be") : ""))));
}

// The list: only the rows in sight exist.
function drawRows() {
  const list = $("list"), rows = $("rows");
  rows.style.height = `${order.length * ROW}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
  const last = Math.min(order.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 10);
  const made = [];
  for (let row = first; row < last; row++) made.push(rowOf(row));
  rows.replaceChildren(...made);
  if (current >= 0) list.setAttribute("aria-activedescendant", `row${current}`);
  else list.removeAttribute("aria-activedescendant");
}
function rowOf(row) {
  const at = order[row], verdict = data.verdicts[data.verdict[at]], headroom = data.headroom[at];
  const made = node("div", {
    id: `row${row}`, class: "row", role: "option", "aria-selected": row === current,
    "aria-posinset": row + 1, "aria-setsize": order.length, onclick: () => { current = row; open(at); drawRows(); },
  },
  node("span", { class: `v-${verdict}` }, say(verdict)),
  node("span", { class: "id", title: ids[at] }, node("bdi", {}, ids[at].replace(/\.h\d+$/, ""))),
  data.records.length > 1 && node("span", {}, data.records[data.record[at]].product),
  node("span", { class: number(headroom) > 1 ? "number over" : "number" }, headroom === null ? "" : figure(headroom)),
  node("span", { class: "number" }, data.ms[at].toFixed(1)));
  made.style.top = `${row * ROW}px`;
  return made;
}
const figure = (value) => (typeof value === "number" ? (value && (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-2) ? value.toExponential(2) : String(+value.toPrecision(4))) : String(value));
function move(to) {
  if (!order.length) return;
  current = Math.max(0, Math.min(order.length - 1, to));
  const list = $("list"), top = current * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  drawRows();
  if (opened !== null) open(order[current]);
}

// One case in detail.
async function open(at) {
  opened = at;
  const number = Math.floor(at / data.block);
  if (!blocks.has(number)) blocks.set(number, unpacked(`block${number}`));
  const detail = (await blocks.get(number))[at % data.block];
  if (opened !== at) return;
  const panel = $("detail"), scroll = panel.hidden;
  panel.replaceChildren(...detailOf(at, detail));
  panel.hidden = false;
  history.replaceState(null, "", `#${data.records[data.record[at]].product}/${ids[at]}`);
  drawRows();
  if (scroll && panel.getBoundingClientRect().top > innerHeight) panel.scrollIntoView({ block: "nearest" });
}
function close() {
  opened = null;
  $("detail").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
  drawRows();
  $("list").focus({ preventScroll: true });
}
function detailOf(at, detail) {
  const verdict = data.verdicts[data.verdict[at]], record = data.records[data.record[at]];
  const facets = data.sets[data.facets[at]].map((word) => data.words[word]);
  const english = factsOf(at, detail, (text) => text);
  const facts = factsOf(at, detail, told).map(([name, value], row) => [name, value, original(english[row][1], value)]);
  return [
    node("div", { class: "top" },
      node("h3", {}, node("span", { class: `v-${verdict}` }, say(verdict)), ` ${ids[at]}`),
      node("button", { type: "button", onclick: close }, say("close"))),
    node("div", { class: "facets" }, ...facets.map((word) => node("button", {
      type: "button", onclick: () => { state.facets.add(word); update(); } }, word))),
    node("dl", {}, ...facts.flatMap(([name, value, title]) => (value ? [node("dt", {}, say(name)), lines(value, title)] : []))),
    ...Object.entries(detail.outputs || {}).flatMap(([name, output]) => outputOf(name, output, data.texts[data.reason[at]])),
    node("h3", {}, say("again")), again(record.again[0] + ids[at] + record.again[1]),
  ];
}
// Names and values of what a case is about; tell says what becomes of the suite's own sentences.
function factsOf(at, detail, tell) {
  const text = (items, write) => (items || []).map(write).join("\n");
  const outcome = detail.outcome || {}, strict = detail.strict;
  return [
    ["reason", tell(data.texts[data.reason[at]])],
    ["call", tell(detail.call || "")],
    ["product", data.records[data.record[at]].product],
    ["expected", tell(detail.expected || "")],
    ["came", [tell(outcome.text || ""), outcome.message, tell(outcome.detail || "")].filter(Boolean).join(" \u2014 ")],
    ["diagnosis", Object.entries(detail.diagnosis || {}).map(([name, found]) => tell(`${name}: ${found.text}`)).join("\n")],
    ["side", detail.side && say(detail.side)],
    ["exercises", text(detail.exercises, String)],
    ["faults", text(detail.faults, (fault) => tell(fault.text))],
    ["untouched", text(detail.untouched, String)],
    ["unsteady", tell(detail.unsteady || "")],
    ["poison", tell(detail.poison || "")],
    ["alike", text(detail.alike, String)],
    ["second", tell((detail.second && detail.second.text) || "")],
    ["once_more", detail.again && say(detail.again)],
    ["standard", detail.standard],
    ["strict", strict && `${say(strict.verdict)} ${tell(strict.reason)}`],
    ["steps", (detail.steps || []).map(([step, status, message]) => `${tell(step)} ${status ?? "\u2013"}${message ? ` ${message}` : ""}`).join(" \u2192 ")],
  ];
}
const lines = (value, title) => node("dd", { title }, ...String(value).split("\n").flatMap((line, at) => (at ? [node("br"), line] : [line])));
function again(command) {
  const button = node("button", { type: "button" }, say("copy"));
  const code = node("code", {}, command);
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(command);
    } catch { // a page opened as a file may not reach the clipboard this way; the line stays selected
      if (!document.execCommand("copy")) return;
    }
    button.textContent = say("copied");
  });
  return node("div", { class: "again" }, code, button);
}
function outputOf(name, output, reason) {
  const figures = Object.fromEntries(Object.entries(output).map(([key, value]) => [key, figure(value)]));
  const words = [say("differ", figures)];
  if (output.class_mismatches) words.push(say("classes", figures));
  if (output.max_ulp) words.push(say("errors", figures), say("relative", figures));
  if (output.zero_for_nonzero) words.push(say("zeros", figures));
  if (output.draws) words.push(say("draws", { ...output.draws, distribution: told(output.draws.distribution), distance: figure(output.draws.distance), correlation: figure(output.draws.correlation) }));
  const met = output.met === undefined || output.met === null ? "not_judged" : output.met ? "met" : "not_met";
  const near = output.headroom === null ? "" : `, ${say("headroom")} ${figure(output.headroom)}`;
  const benchmark = output.benchmark && Object.fromEntries(Object.entries(output.benchmark).map(([key, value]) => [key, figure(value)]));
  return [
    node("h3", {}, `${say("output")} ${name} (${output.dtype}, ${say(output.comparison)})`),
    node("p", { class: met === "met" ? "v-passed" : "v-failed" }, `${say(met)}${near}`),
    output.reason && !reason.includes(output.reason) && node("p", { title: original(output.reason, told(output.reason)) }, told(output.reason)),
    node("p", {}, words.join(language() ? "\uff1b" : "; ")),
    benchmark && node("p", { class: "hint" }, say("compared_with", benchmark)),
    histogram([...output.ulps, output.class_mismatches]),
    output.worst && worstOf(output.worst),
  ].filter(Boolean);
}
function histogram(counts) {
  const most = Math.max(...counts);
  if (!most) return null;
  const width = 460, height = 130, step = width / counts.length, title = say("histogram");
  const bins = [...data.bins, say("class")];
  const bars = counts.flatMap((count, at) => {
    const tall = count ? 6 + 74 * Math.log1p(count) / Math.log1p(most) : 0, middle = (at + 0.5) * step;
    return [
      node("rect", { x: at * step + 4, y: 96 - tall, width: step - 8, height: tall, class: at > 3 ? "far" : null },
        node("title", {}, `${bins[at]}: ${count}`)),
      count ? node("text", { x: middle, y: 91 - tall }, String(count)) : null,
      node("text", { x: middle, y: 110 }, bins[at]),
    ];
  });
  return node("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
    ...bars, node("text", { x: width / 2, y: 126 }, title));
}
function worstOf(worst) {
  const whole = (value) => (value && typeof value === "object" ? `${value.real} + ${value.imag}i` : String(value));
  const rows = [["position", `[${worst.position.join(", ")}]`], ["got", whole(worst.got)], ["wanted", whole(worst.expected)], ["ulp", String(worst.ulp)]];
  const inputs = Object.entries(worst.inputs).map(([name, value]) => [`${say("input")} ${name}`, whole(value)]);
  return node("table", { class: "worst" }, node("caption", { class: "hint" }, say("worst")), node("tbody", {},
    ...[...rows.map(([name, value]) => [say(name), value]), ...inputs].map(([name, value]) =>
      node("tr", {}, node("th", { scope: "row" }, name), node("td", {}, value)))));
}

// What the user does.
function only(button) {
  const { api, dtype, record, text } = button.dataset;
  Object.assign(state, { text: text || "", facets: new Set(dtype ? [dtype] : []), verdicts: new Set() });
  state.api = data.apis.indexOf(api);
  state.record = record === undefined || data.records.length < 2 ? null : Number(record);
  $("text").value = state.text;
  update();
  $("cases").scrollIntoView();
  $("list").focus({ preventScroll: true });
}
function reset() {
  Object.assign(state, { text: "", facets: new Set(), verdicts: new Set(), api: null, record: null });
  $("text").value = "";
  update();
}
function onKey(event) {
  const page = Math.floor($("list").clientHeight / ROW) - 1;
  const moves = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: order.length - 1 };
  if (event.key in moves) move(moves[event.key]);
  else if (event.key === "Enter" && current >= 0) open(order[current]);
  else return;
  event.preventDefault();
}
function listen() {
  let waiting = 0;
  $("text").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => { state.text = $("text").value; update(); }, 80); });
  $("facet").addEventListener("input", () => {
    if (!data.words.includes($("facet").value)) return;
    state.facets.add($("facet").value);
    $("facet").value = "";
    update();
  });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", reset);
  $("list").addEventListener("scroll", drawRows);
  $("list").addEventListener("keydown", onKey);
  $("language").addEventListener("click", () => translate(root.lang === "zh" ? "en" : "zh"));
  $("theme").addEventListener("click", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; store("conformance-theme", root.dataset.theme); });
  for (const button of document.querySelectorAll("[data-api]")) button.addEventListener("click", () => only(button));
  addEventListener("resize", drawRows);
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", print);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opened !== null) close();
    if (event.key !== "/" || event.target.tagName === "INPUT") return;
    $("text").focus();
    event.preventDefault();
  });
}
function print() {
  const rows = order.slice(0, PRINTED).map((at) => node("p", {}, `${say(data.verdicts[data.verdict[at]])} ${ids[at]} ${told(data.texts[data.reason[at]])}`));
  if (order.length > PRINTED) rows.push(node("p", {}, `\u2026 ${order.length - PRINTED} ${say("more")}`));
  $("printed").replaceChildren(...rows);
}
// The address may name a case: page.html#product/id.
function follow() {
  const [product, id] = decodeURIComponent(location.hash.slice(1)).split("/");
  const at = ids.findIndex((other, place) => other === id && data.records[data.record[place]].product === product);
  if (at < 0) return;
  current = order.indexOf(at);
  open(at);
  if (current >= 0) move(current);
  $("cases").scrollIntoView();
}
async function start() {
  root.dataset.theme = stored("conformance-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  data = await unpacked("index");
  ids = data.ids ? data.ids.split("\n") : [];
  const reasons = data.texts.map((text) => text.toLowerCase()), apis = data.apis.map((name) => name.toLowerCase());
  haystack = ids.map((id, at) => `${id}\n${apis[data.api[at]]}\n${reasons[data.reason[at]]}\n${reasons[data.signature[at]]}`);
  root.classList.toggle("several", data.records.length > 1);
  $("facets").append(...[...data.words].sort().map((word) => node("option", { value: word })));
  listen();
  order = sorted(matching());
  translate(stored("conformance-language") || (navigator.language.startsWith("zh") ? "zh" : "en"));
  follow();
  root.dataset.ready = "yes";
}
if (typeof DecompressionStream === "undefined") {
  $("rows").textContent = "This browser cannot unpack the cases: it lacks DecompressionStream. \u6b64\u6d4f\u89c8\u5668\u65e0\u6cd5\u89e3\u5f00\u7528\u4f8b\u6570\u636e\u3002";
} else {
  start();
}
