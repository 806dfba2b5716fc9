import { buildElement, extractText } from './dom.js';
import { renderCallForm } from './try-call.js';

/** Renders a model's page. `caller` is `{ database, login }`; `go` opens another model. */
export function renderModelView(described, caller, go) {
  const where = { model: described.model, ...caller };
  return [
    buildElement('h1', {}, described.name),
    buildElement('p', { class: 'soft' }, buildElement('code', {}, described.model)),
    buildElement('h2', { id: 'fields' }, `Fields (${Object.keys(described.fields).length})`),
    renderFieldsTable(described.fields, go),
    buildElement('h2', { id: 'methods' }, `Methods (${Object.keys(described.methods).length})`),
    ...Object.entries(described.methods).map(([name, method]) => renderMethod(where, name, method)),
  ];
}

const HEADS = ['Field', 'Label', 'Type', 'About'];

function renderFieldsTable(fields, go) {
  const head = buildElement('tr', {}, ...HEADS.map((name) => buildElement('th', { scope: 'col' }, name)));
  const rows = Object.entries(fields).map(([name, field]) => renderFieldRow(name, field, go));
  return buildElement(
    'div',
    { class: 'wide' },
    buildElement('table', {}, buildElement('thead', {}, head), buildElement('tbody', {}, ...rows)),
  );
}

function renderFieldRow(name, field, go) {
  return buildElement(
    'tr',
    { id: `field-${name}`, tabindex: -1 },
    buildElement('td', {}, buildElement('code', {}, name)),
    buildElement('td', {}, field.string),
    buildElement('td', {}, ...renderType(field, go)),
    buildElement('td', {}, field.help, renderSelection(field)),
  );
}

const renderType = (field, go) => [
  field.type,
  ...(field.relation ? [' of ', renderModelLink(field.relation, go)] : []),
  field.required && buildElement('span', { class: 'tag' }, 'required'),
  field.readonly && buildElement('span', { class: 'tag' }, 'read only'),
];

const renderSelection = (field) =>
  field.selection?.length > 0 &&
  buildElement(
    'ul',
    {},
    ...field.selection.map(([value, label]) =>
      buildElement('li', {}, buildElement('code', {}, String(value)), ` ${label}`),
    ),
  );

/** Creates a link that does not leave the page, so that the key is not lost. */
export function renderModelLink(model, go, hash = '', ...children) {
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(model, hash);
  };
  return buildElement(
    'a',
    { href: `/doc/${model}${hash}`, onclick: follow },
    ...(children.length ? children : [model]),
  );
}

/** Renders a method. Its details are created when it is first opened, because a model has dozens of methods. */
function renderMethod(where, name, method) {
  const part = buildElement(
    'details',
    { class: 'method', id: `method-${name}` },
    buildElement(
      'summary',
      {},
      buildElement('code', {}, buildElement('strong', {}, name), method.signature),
      buildElement('span', { class: 'tag' }, method.api.includes('model') ? 'model' : 'records'),
      buildElement('span', { class: 'tag' }, method.api.includes('readonly') ? 'reads' : 'writes'),
    ),
  );
  part.addEventListener('toggle', () => part.append(...renderMethodBody(where, name, method)), {
    once: true,
  });
  return part;
}

function renderMethodBody(where, name, method) {
  return [
    buildElement('p', {}, extractText(method.doc)),
    renderParametersTable(method),
    buildElement(
      'p',
      { class: 'soft' },
      `Gives ${method.return?.annotation ?? 'nothing'}. GraphQL: ${method.graphql.field}`,
    ),
    renderCallForm(where, name, method),
  ];
}

function renderParametersTable(method) {
  const entries = Object.entries(method.parameters);
  if (!method.api.includes('model'))
    entries.unshift(['ids', { annotation: 'list[int]', doc: 'The records.' }]);
  if (!entries.length) return buildElement('p', { class: 'soft' }, 'No parameters.');
  const head = ['Parameter', 'Type', 'Default', 'About'].map((title) =>
    buildElement('th', { scope: 'col' }, title),
  );
  const rows = entries.map(([name, parameter]) =>
    buildElement(
      'tr',
      {},
      buildElement('td', {}, buildElement('code', {}, name)),
      buildElement('td', {}, parameter.annotation),
      buildElement(
        'td',
        {},
        'default' in parameter ? buildElement('code', {}, JSON.stringify(parameter.default)) : 'needed',
      ),
      buildElement('td', {}, extractText(parameter.doc)),
    ),
  );
  return buildElement(
    'div',
    { class: 'wide' },
    buildElement(
      'table',
      {},
      buildElement('thead', {}, buildElement('tr', {}, ...head)),
      buildElement('tbody', {}, ...rows),
    ),
  );
}
