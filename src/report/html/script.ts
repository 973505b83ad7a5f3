/**
 * The script of the page: search, and plots that are hovered and zoomed together. It only shows and hides existing
 * content, loads nothing, and the policy allows it only by its hash.
 */
export const SCRIPT = `
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const NS = 'http://www.w3.org/2000/svg';

/* Search: every word must be in a row, or in the text of a failure. */
const search = document.getElementById('search');
const opened = new Set();
const rows = all('.matrix tr[id], .observations tbody tr, .evidence tbody tr');
const textOf = new Map([...rows, ...all('.failure')].map((each) => [each, each.textContent.toLowerCase()]));
search.closest('p').hidden = false;
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const fits = (each) => words.every((word) => textOf.get(each).includes(word));
  for (const each of opened) each.open = false;
  opened.clear();
  const found = rows.filter(fits);
  for (const each of rows) {
    const siblings = each.closest('.evidence') ? rows.filter((row) => row.parentNode === each.parentNode) : [];
    each.hidden = !fits(each) && !(siblings.length > 0 && !siblings.some(fits));
  }
  for (const each of all('.failure')) each.hidden = !fits(each);
  for (const each of all('.matrix tbody')) each.hidden = all('tr[id]', each).every((row) => row.hidden);
  for (const each of words.length ? found : []) {
    const proof = each.closest('.failure details');
    if (proof && !proof.open) opened.add(proof);
  }
  for (const each of opened) each.open = true;
  const count = (selector) => found.filter((each) => each.matches(selector)).length;
  search.closest('p').querySelector('output').textContent = words.length
    ? count('.matrix tr') + ' requirements, ' + new Set(found.filter((each) => each.matches('.evidence tr')).map((each) => each.cells[0].textContent)).size + ' requests'
    : '';
});

/* Plots: one axis for all, in ms of the run. */
const frame = document.querySelector('.budgets');
if (frame) {
  const low = Number(frame.dataset.low), high = Number(frame.dataset.high), width = Number(frame.dataset.width);
  /* Times as differences, in ms. */
  const read = ({ times, remaining, outcome }) => {
    let time = 0;
    return { time: times.split(' ').map((each) => (time += Number(each))), remaining: remaining.split(' '), outcome };
  };
  const plots = all('.budget').map((figure) => {
    const plot = figure.querySelector('.plot');
    const cursor = document.createElementNS(NS, 'line');
    cursor.setAttribute('class', 'cursor');
    cursor.setAttribute('y1', '18');
    cursor.setAttribute('y2', '168');
    cursor.style.display = 'none';
    plot.append(cursor);
    return { figure, plot, cursor, output: figure.querySelector('output'), series: read(figure.dataset) };
  });
  let from = low, to = high;
  const place = (time) => (time - from) / (to - from);
  const view = (a, b) => {
    [from, to] = b - a < 5 ? [low, high] : [Math.max(low, a), Math.min(high, b)];
    const whole = from === low && to === high;
    document.getElementById('whole').hidden = whole;
    const x = ((from - low) / (high - low)) * width, w = ((to - from) / (high - low)) * width;
    const span = (to - from) / 1000;
    const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].find((each) => span / each <= 6) || 14400;
    for (const { plot } of plots) {
      for (const each of all('svg', plot)) {
        each.setAttribute('viewBox', x + ' 0 ' + w + ' ' + each.viewBox.baseVal.height);
        each.setAttribute('overflow', whole ? 'visible' : 'hidden');
      }
      for (const each of all('[data-time]', plot)) {
        const at = place(Number(each.dataset.time));
        for (const name of ['x1', 'x2']) each.setAttribute(name, at * 100 + '%');
        each.style.display = at < 0 || at > 1 ? 'none' : '';
      }
      const ticks = plot.querySelector('.ticks');
      ticks.replaceChildren();
      for (let time = Math.ceil(from / 1000 / step) * step; time <= to / 1000; time += step) {
        const text = document.createElementNS(NS, 'text');
        text.setAttribute('x', place(time * 1000) * 100 + '%');
        text.setAttribute('y', '206');
        text.setAttribute('text-anchor', 'middle');
        text.textContent = Number(time.toFixed(3)) + ' s';
        ticks.append(text);
      }
    }
  };
  const show = (time) => {
    for (const { plot, cursor, output, series } of plots) {
      cursor.style.display = time === null ? 'none' : '';
      if (time === null) { output.textContent = ''; continue; }
      for (const name of ['x1', 'x2']) cursor.setAttribute(name, place(time) * 100 + '%');
      let best = 0;
      series.time.forEach((each, index) => { if (Math.abs(each - time) < Math.abs(series.time[best] - time)) best = index; });
      const words = { a: 'accepted', r: 'refused (429)', o: 'another answer', u: 'no answer' };
      const left = series.remaining[best];
      output.textContent = (series.time[best] / 1000).toFixed(3) + ' s: ' + words[series.outcome[best]] + (left === '' ? '' : ', ' + left + ' left');
    }
  };
  let start = null;
  const timeAt = (event, plot) => {
    const box = plot.getBoundingClientRect();
    return from + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * (to - from);
  };
  for (const { plot } of plots) {
    plot.addEventListener('pointerdown', (event) => { start = event.button === 0 ? timeAt(event, plot) : null; });
    plot.addEventListener('pointermove', (event) => show(timeAt(event, plot)));
    plot.addEventListener('pointerleave', () => { start = null; show(null); });
    plot.addEventListener('pointerup', (event) => {
      const end = timeAt(event, plot);
      if (start !== null && Math.abs(end - start) / (to - from) > 0.01) view(Math.min(start, end), Math.max(start, end));
      start = null;
    });
    plot.addEventListener('dblclick', () => view(low, high));
  }
  document.getElementById('whole').addEventListener('click', () => view(low, high));
  for (const link of all('.evidence td a')) {
    link.addEventListener('click', () => {
      const time = parseFloat(link.textContent) * 1000;
      view(Math.max(low, time - 2000), Math.min(high, time + 2000));
      show(time);
    });
  }
  document.querySelector('.hint').hidden = false;
}
`.trim();

/**
 * The SHA-256 of the script in base64, which the content security policy allows. A test compares it with the script.
 */
export const SCRIPT_HASH = 'sha256-15D53ahLsvfPvBCMSRe4YUNcdPdEsjvPsjLcW8ANq/E=';
