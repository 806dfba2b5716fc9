import { byId, el } from './dom.js';
import { modelLink } from './model-view.js';
import { find } from './search.js';

/** Renders the search and its results. @returns {(current: string | null) => void} marks the open model */
export function sidebar(models, go) {
  const search = byId('search');
  const list = byId('found');
  let current = null;
  const draw = () => {
    const found = find(models, search.value);
    list.replaceChildren(...found.map((entry) => item(entry, go)));
    byId('count').textContent = found.length === 1 ? '1 model' : `${found.length} models`;
    mark(list, current);
  };
  search.addEventListener('input', draw);
  document.addEventListener('keydown', (event) => keys(event, search, list, draw));
  search.closest('nav').hidden = false;
  draw();
  return (model) => {
    current = model;
    mark(list, current);
  };
}

function item({ model, name, fields, methods }, go) {
  const hits = [
    ...fields.map((field) => [`#field-${field}`, field]),
    ...methods.map((method) => [`#method-${method}`, `${method}()`]),
  ];
  const inner = hits.map(([hash, text]) => el('li', {}, modelLink(model, go, hash, text)));
  const link = modelLink(model, go, '', el('code', {}, model), ' ', el('span', { class: 'soft' }, name));
  return el('li', {}, link, inner.length > 0 && el('ul', {}, ...inner));
}

function mark(list, model) {
  for (const link of list.querySelectorAll('a')) {
    if (link.getAttribute('href') === `/doc/${model}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function keys(event, search, list, draw) {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    search.select();
    search.focus();
  } else if (event.key === 'Escape' && event.target === search) {
    search.value = '';
    draw();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    walk(event, search, list);
  }
}

function walk(event, search, list) {
  const stops = [search, ...list.querySelectorAll('a')];
  const at = stops.indexOf(event.target);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus();
}
