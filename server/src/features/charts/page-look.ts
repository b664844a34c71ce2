// How the pages of charts look, and what script does there. All of it works without script but the tips, which a browser
// then shows as titles, and choosing a look other than the system's.
import { createHash } from 'node:crypto'

/** Colours are those of the tokens, which every page of the server has. */
export const style = `
  body { max-width: 54rem; padding: 2rem 1rem 3rem; overflow-wrap: anywhere }
  h1 { margin: .1rem 0 .4rem; font-size: clamp(1.375rem, 4.5vw, 1.875rem) }
  [hidden] { display: none !important }
  .of, .sum { margin: 0; color: var(--faint) }
  .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0 0 }
  .facts dt { color: var(--faint); font-size: .875rem; text-transform: capitalize } .facts dd { margin: 0; font-size: 1.25rem }
  .ways { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 1.25rem 0 .75rem; font-size: .9375rem }
  .way { display: flex; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden }
  .way a, .way button { padding: .25rem .75rem; color: var(--ink); text-decoration: none; font: inherit; background: none; border: 0; cursor: pointer }
  .way a:hover, .way button:hover { background: var(--hover) }
  .way [aria-current] { background: var(--accent); color: var(--on-accent) }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  figure { margin: 0; padding: 1rem .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
  .picture svg { display: block; width: 100%; height: auto } .narrow { display: none }
  @media (max-width: 560px) { .wide { display: none } .narrow { display: block } figure { padding: .75rem .25rem }
    body { padding-top: 1.25rem } table { font-size: .875rem } th, td { padding: .375rem .25rem !important } }
  .bar { transition: opacity .12s } .picture.picking .bar { opacity: .35 } .picture.picking .bar.picked { opacity: 1 }
  .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 .5rem .75rem; padding: 0; list-style: none; font-size: .9375rem }
  .legend i { display: inline-block; width: .75rem; height: .75rem; margin-inline-end: .4rem; border-radius: .1875rem }
  figcaption { margin: .5rem .5rem 0; color: var(--faint); font-size: .9375rem } figcaption p { margin: .25rem 0 }
  .empty { margin: 1.5rem 0; padding: 2rem 1rem; text-align: center; border: 1px dashed var(--line); border-radius: .75rem }
  table { width: 100%; margin-top: 1.5rem; border-collapse: collapse; font-size: .9375rem }
  .scroll { overflow-x: auto }
  caption { padding-bottom: .5rem; text-align: start; color: var(--faint) }
  th, td { padding: .4rem .5rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: inherit }
  tbody th, td:not(.number) { min-width: 4.5rem }
  thead th { color: var(--faint); font-size: .875rem } .number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
  tbody tr.picked { background: color-mix(in srgb, var(--accent) 14%, transparent) }
  .long { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden }
  footer { margin-top: 1.5rem; color: var(--faint); font-size: .9375rem } details ul { columns: 14rem; padding-inline-start: 1.25rem }
  #tip { position: fixed; z-index: 1; max-width: min(20rem, 90vw); padding: .375rem .625rem; border-radius: .375rem; pointer-events: none;
         background: var(--ink); color: var(--paper); font-size: .875rem; line-height: 1.35 } #tip b { font-weight: 600 }
  @media print { .ways, footer, details { display: none } body { padding: 0 } }
  @media (prefers-reduced-motion: reduce) { .bar { transition: none } }`

/** Kept free of what a page shows: that is read as data, and put there as text. */
export const script = `'use strict';
(() => {
  const data = JSON.parse(document.getElementById('chart-data').textContent);
  const picture = document.querySelector('.picture');
  const root = document.documentElement;

  const way = document.querySelector('.ways .look');
  if (way) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const current = () => root.dataset.look || (system.matches ? 'dark' : 'light');
    const button = document.createElement('button');
    const name = () => { button.textContent = current() === 'dark' ? 'Light look' : 'Dark look'; };
    button.type = 'button';
    button.addEventListener('click', () => { root.dataset.look = current() === 'dark' ? 'light' : 'dark'; name(); });
    system.addEventListener('change', name);
    name();
    way.append(button);
    way.hidden = false;
  }
  if (!picture) return;

  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.hidden = true;
  tip.setAttribute('role', 'status');
  document.body.append(tip);
  for (const title of picture.querySelectorAll('.bar title')) title.remove();

  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
  const shown = (value) => {
    if (value === null || value === undefined) return '–';
    if (data.measure === 'share') return share.format(value);
    if (data.measure === 'mean') return 'mean ' + whole.format(value);
    return whole.format(value) + (data.total ? ' (' + share.format(value / data.total) + ')' : '');
  };
  const rows = [...document.querySelectorAll('tbody tr')];
  const pick = (place) => {
    picture.classList.toggle('picking', place !== undefined);
    for (const bar of picture.querySelectorAll('.bar')) bar.classList.toggle('picked', bar.dataset.place === place);
    for (const row of rows) row.classList.toggle('picked', place !== undefined && row.dataset.place === place);
  };
  const hide = () => { tip.hidden = true; pick(undefined); };
  const show = (bar, x, y) => {
    const series = data.series[Number(bar.dataset.series)];
    const name = document.createElement('b');
    name.textContent = data.categories[Number(bar.dataset.place)];
    const rest = (data.series.length > 1 ? series.name + ': ' : '') + shown(series.values[Number(bar.dataset.place)]);
    tip.replaceChildren(name, document.createElement('br'), rest);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 4)) + 'px';
    tip.style.top = (y - box.height - 12 < 4 ? y + 16 : y - box.height - 12) + 'px';
    pick(bar.dataset.place);
  };
  const barAt = (event) => event.target.closest && event.target.closest('.bar');
  for (const kind of ['pointermove', 'pointerdown']) {
    picture.addEventListener(kind, (event) => {
      const bar = barAt(event);
      if (bar) show(bar, event.clientX, event.clientY);
      else hide();
    });
  }
  // A finger leaves as soon as it is lifted; what it pointed at stays until it points elsewhere.
  picture.addEventListener('pointerleave', (event) => { if (event.pointerType !== 'touch') hide(); });
  addEventListener('pointerdown', (event) => { if (!barAt(event)) hide(); });
  addEventListener('scroll', hide, { passive: true });
  for (const row of rows) {
    if (row.dataset.place === '-1') continue;
    row.addEventListener('pointerenter', () => pick(row.dataset.place));
    row.addEventListener('pointerleave', () => pick(undefined));
  }
})();`

const scriptHash = createHash('sha256').update(script).digest('base64')

/** This script and no other; nothing from elsewhere. */
export const securityPolicy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
