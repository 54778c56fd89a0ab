// Everything on the page that moves: the theme, pointing at bots, tips, and the list of matches.
'use strict';
(() => {
  const ROWS_AT_ONCE = 50;
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);

  /** An element with attributes and children. Texts stay texts: nothing here is ever parsed as HTML. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // The theme is kept where the browser lets a page keep something.
  const root = document.documentElement;
  const kept = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };
  const theme = kept((store) => store.getItem('palestra-theme'));
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  byId('theme').onclick = () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    kept((store) => store.setItem('palestra-theme', root.dataset.theme));
  };

  // Pointing at a bot points it out everywhere.
  let pointed = null;
  function point(bot) {
    if (bot === pointed) return;
    pointed = bot;
    for (const element of document.querySelectorAll('.hot')) element.classList.remove('hot');
    if (bot !== null) for (const element of document.querySelectorAll(`[data-bot="${bot}"]`)) element.classList.add('hot');
    for (const plot of document.querySelectorAll('.plot')) plot.classList.toggle('pointed', !!plot.querySelector('.hot'));
  }

  const tip = byId('tip');
  function showTip(element, x, y) {
    tip.hidden = !element;
    if (!element) return;
    tip.textContent = element.dataset.tip;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 12) : y + 18}px`;
  }
  document.addEventListener('pointerover', (event) => {
    point(event.target.closest?.('[data-bot]')?.dataset.bot ?? null);
  });
  document.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse') showTip(event.target.closest?.('[data-tip]'), event.clientX, event.clientY);
  });
  document.addEventListener('focusin', (event) => {
    const element = event.target.closest?.('[data-tip]');
    if (!element?.matches(':focus-visible')) return;
    const { left, bottom } = element.getBoundingClientRect();
    showTip(element, left, bottom - 14);
  });
  document.addEventListener('focusout', () => showTip(null));
  addEventListener('scroll', () => showTip(null), { passive: true, capture: true });

  // A finger cannot hover: the first tap tells, the second follows.
  let told = null;
  document.addEventListener('click', (event) => {
    if (event.pointerType !== 'touch') return;
    const element = event.target.closest('[data-tip]');
    if (element?.href && told !== element) event.preventDefault();
    told = element;
    showTip(element, event.clientX, event.clientY);
    if (element?.href) tip.append('\nTap again for the matches');
  });

  const list = byId('list');
  if (!list) return;

  // Served by palestra, replays are beside this page; from disk, they are where palestra will serve them.
  const fromDisk = location.protocol === 'file:';
  const base = fromDisk ? `http://127.0.0.1:${data.port}/` : './';
  if (fromDisk && data.rows.some((row) => row[6] !== null)) {
    const folder = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '').replace(/^\/(?=[A-Za-z]:)/, '');
    const quoted = /^[\w./:-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
    const command = make('code', {}, `palestra view --port ${data.port} ${quoted}`);
    byId('serve').append('To watch matches, run ', command, '; then the links open them.');
    byId('serve').hidden = false;
  }

  const form = byId('filters');
  const { a, b, stage, faults } = form.elements;
  const bots = data.order.map((bot) => [bot, data.bots[bot]]);
  const fill = (select, none, options) => {
    select.append(make('option', { value: '' }, none));
    for (const [value, text] of options) select.append(make('option', { value }, text));
  };
  fill(a, 'any', bots);
  fill(b, 'anybody', bots);
  fill(stage, 'all', [...data.stages.entries()]);
  stage.parentElement.hidden = data.stages.length < 2;

  let only = null;
  let rows = [];
  let shown = 0;

  function wanted([number, stageIndex, , , , , , , seats]) {
    if (only) return only.has(number);
    const played = (select) => select.value === '' || seats.some((seat) => seat[0] === Number(select.value));
    return (
      played(a) &&
      played(b) &&
      (stage.value === '' || stageIndex === Number(stage.value)) &&
      (!faults.checked || seats.some((seat) => seat[4]))
    );
  }

  function seatOf([bot, place, score, points, fault]) {
    const dot = make('i', { class: 'dot' });
    dot.style.setProperty('--c', data.colours[bot] ?? 'var(--grey)');
    const name = data.bots[bot] ?? '?';
    const seat = make(
      'span',
      { title: `${name}: place ${place}, ${points} ${points === 1 ? 'point' : 'points'}` },
      make('span', { class: 'bot', 'data-bot': bot }, dot, make('bdi', {}, name)),
      make('span', { class: 'faint' }, String(score)),
    );
    if (place === 1) seat.className = 'first';
    if (fault) seat.append(make('span', { class: 'badge fault' }, fault));
    return seat;
  }

  function duration(millis) {
    if (millis < 1000) return `${millis} ms`;
    return millis < 60000 ? `${(millis / 1000).toFixed(1)} s` : `${(millis / 60000).toFixed(1)} min`;
  }

  function rowOf([number, stageIndex, round, map, turns, millis, replay, marks, seats]) {
    const where = data.stages.length > 1 ? `${data.stages[stageIndex] ?? ''}, round ${round}` : `round ${round}`;
    const watch = make('td', { class: 'last number' });
    if (replay !== null)
      watch.append(make('a', { class: 'watch', href: base + encodeURIComponent(replay), target: '_blank', rel: 'noopener' }, '▶ watch'));
    const players = make('td', { class: 'players' }, make('div', { class: 'seats' }, ...seats.map(seatOf)));
    const told = make('td', {}, `${number}`);
    if (marks & 1) told.append(' ', make('span', { class: 'badge', title: 'out of the count' }, 'void'));
    if (marks & 2) told.append(' ', make('span', { class: 'badge', title: "a fault in it may have been the host's" }, 'tainted'));
    return make(
      'tr',
      { class: marks & 1 ? 'voided' : '' },
      told,
      make('td', { class: 'faint' }, where),
      players,
      make('td', { class: 'faint' }, data.maps[map] ?? ''),
      make('td', { class: 'number' }, `${turns} turns`),
      make('td', { class: 'number faint' }, duration(millis)),
      watch,
    );
  }

  function showMore(count) {
    const body = list.querySelector('tbody');
    body.append(...rows.slice(shown, shown + count).map(rowOf));
    shown = Math.min(rows.length, shown + count);
    byId('more').hidden = shown >= rows.length;
  }

  function show() {
    rows = data.rows.filter(wanted);
    shown = 0;
    const heads = ['Match', 'Round', 'Players and score', 'Map', 'Length', 'Took', ''];
    const head = make('tr', {}, ...heads.map((text, index) => make('th', index > 3 ? { class: 'number' } : {}, text)));
    list.replaceChildren(make('table', {}, make('thead', {}, head), make('tbody', {})));
    byId('found').textContent = only
      ? `${rows.length} of the chosen ${only.size}`
      : `${rows.length} of ${data.rows.length}`;
    showMore(ROWS_AT_ONCE);
  }

  // Links into the list: #pair-3-5 and #only-12-13.
  function follow() {
    const [, kind, rest] = /^#(pair|only)-([\d-]+)$/.exec(location.hash) ?? [];
    if (!kind) return;
    const numbers = rest.split('-').map(Number);
    form.reset();
    only = kind === 'only' ? new Set(numbers) : null;
    if (kind === 'pair') [a.value, b.value] = numbers.map(String);
    show();
    byId('matches').scrollIntoView();
  }

  form.onsubmit = (event) => event.preventDefault();
  form.onchange = () => {
    only = null;
    show();
  };
  form.onreset = () => {
    only = null;
    setTimeout(show);
  };
  byId('more').onclick = () => showMore(ROWS_AT_ONCE);
  addEventListener('hashchange', follow);
  show();
  follow();
})();
