import { el, wordsOf } from './dom.js';
import { tryCall } from './try-call.js';

/** Renders a model's page. `caller` is `{ database, login }`; `go` opens another model. */
export function modelView(described, caller, go) {
  const where = { model: described.model, ...caller };
  return [
    el('h1', {}, described.name),
    el('p', { class: 'soft' }, el('code', {}, described.model)),
    el('h2', { id: 'fields' }, `Fields (${Object.keys(described.fields).length})`),
    fieldsTable(described.fields, go),
    el('h2', { id: 'methods' }, `Methods (${Object.keys(described.methods).length})`),
    ...Object.entries(described.methods).map(([name, method]) => methodPart(where, name, method)),
  ];
}

const HEADS = ['Field', 'Label', 'Type', 'About'];

function fieldsTable(fields, go) {
  const head = el('tr', {}, ...HEADS.map((name) => el('th', { scope: 'col' }, name)));
  const rows = Object.entries(fields).map(([name, field]) => fieldRow(name, field, go));
  return el('div', { class: 'wide' }, el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)));
}

function fieldRow(name, field, go) {
  return el(
    'tr',
    { id: `field-${name}`, tabindex: -1 },
    el('td', {}, el('code', {}, name)),
    el('td', {}, field.string),
    el('td', {}, ...typeOf(field, go)),
    el('td', {}, field.help, selectionOf(field)),
  );
}

const typeOf = (field, go) => [
  field.type,
  ...(field.relation ? [' of ', modelLink(field.relation, go)] : []),
  field.required && el('span', { class: 'tag' }, 'required'),
  field.readonly && el('span', { class: 'tag' }, 'read only'),
];

const selectionOf = (field) =>
  field.selection?.length > 0 &&
  el(
    'ul',
    {},
    ...field.selection.map(([value, label]) => el('li', {}, el('code', {}, String(value)), ` ${label}`)),
  );

/** Creates a link that does not leave the page, so that the key is not lost. */
export function modelLink(model, go, hash = '', ...children) {
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(model, hash);
  };
  return el(
    'a',
    { href: `/doc/${model}${hash}`, onclick: follow },
    ...(children.length ? children : [model]),
  );
}

/** Renders a method. Its details are created when it is first opened, because a model has dozens of methods. */
function methodPart(where, name, method) {
  const part = el(
    'details',
    { class: 'method', id: `method-${name}` },
    el(
      'summary',
      {},
      el('code', {}, el('strong', {}, name), method.signature),
      el('span', { class: 'tag' }, method.api.includes('model') ? 'model' : 'records'),
      el('span', { class: 'tag' }, method.api.includes('readonly') ? 'reads' : 'writes'),
    ),
  );
  part.addEventListener('toggle', () => part.append(...methodBody(where, name, method)), { once: true });
  return part;
}

function methodBody(where, name, method) {
  return [
    el('p', {}, wordsOf(method.doc)),
    parametersTable(method),
    el(
      'p',
      { class: 'soft' },
      `Gives ${method.return?.annotation ?? 'nothing'}. GraphQL: ${method.graphql.field}`,
    ),
    tryCall(where, name, method),
  ];
}

function parametersTable(method) {
  const entries = Object.entries(method.parameters);
  if (!method.api.includes('model'))
    entries.unshift(['ids', { annotation: 'list[int]', doc: 'The records.' }]);
  if (!entries.length) return el('p', { class: 'soft' }, 'No parameters.');
  const head = ['Parameter', 'Type', 'Default', 'About'].map((title) => el('th', { scope: 'col' }, title));
  const rows = entries.map(([name, parameter]) =>
    el(
      'tr',
      {},
      el('td', {}, el('code', {}, name)),
      el('td', {}, parameter.annotation),
      el('td', {}, 'default' in parameter ? el('code', {}, JSON.stringify(parameter.default)) : 'needed'),
      el('td', {}, wordsOf(parameter.doc)),
    ),
  );
  return el(
    'div',
    { class: 'wide' },
    el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows)),
  );
}
