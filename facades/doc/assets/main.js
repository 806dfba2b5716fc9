import { keepKey, loadCaller, loadIndex, loadModel } from './api.js';
import { byId, el } from './dom.js';
import { modelView } from './model-view.js';
import { sidebar } from './sidebar.js';
import { showCaller, signInView } from './sign-in.js';

const content = byId('content');
const hasSession = document.documentElement.dataset.session === 'true';
const TITLE = document.title;

let index = null;
let caller = null;
let markCurrent = () => {};

function modelInAddress() {
  const name = decodeURIComponent(location.pathname.replace(/^\/doc\/?/, ''));
  return name === '' || name === 'index.html' ? null : name;
}

/** Renders the page, or the sign-in form if the data cannot be loaded. */
async function open() {
  try {
    const [told, who] = await Promise.all([loadIndex(), loadCaller()]);
    index = told;
    caller = { database: who.workspace.slug, login: who.viewer.login };
    showCaller(who, () => location.reload());
    markCurrent = sidebar(index.models, go);
    await show();
    addEventListener('popstate', show);
    byId('home').addEventListener('click', goHome);
  } catch (error) {
    keepKey(null);
    askWho(error.message);
  }
}

function go(model, hash = '') {
  history.pushState(null, '', `/doc/${model}${hash}`);
  show();
}

/** Navigates without a page load, which would lose the key. */
function goHome(event) {
  event.preventDefault();
  history.pushState(null, '', '/doc');
  show();
}

async function show() {
  const model = modelInAddress();
  markCurrent(model);
  document.title = model ? `${model} · ${TITLE}` : TITLE;
  if (!model) return content.replaceChildren(...welcome());
  if (content.dataset.model !== model) await fill(model);
  reveal(location.hash.slice(1));
}

/** Shows a model, unless another one is opened while it loads. */
async function fill(model) {
  content.dataset.model = model;
  content.setAttribute('aria-busy', 'true');
  const parts = await loadModel(model).then(
    (described) => modelView(described, caller, go),
    (error) => [el('h1', {}, model), el('p', { class: 'wrong', role: 'alert' }, error.message)],
  );
  if (content.dataset.model !== model) return;
  content.removeAttribute('aria-busy');
  content.replaceChildren(...parts);
}

function reveal(id) {
  const target = id && byId(id);
  if (!target) {
    scrollTo(0, 0);
    return content.focus({ preventScroll: true });
  }
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
  (target.querySelector('summary') ?? target).focus();
}

function welcome() {
  delete content.dataset.model;
  return [
    el('h1', {}, 'Models, fields and methods'),
    el(
      'p',
      {},
      `${index.models.length} models you can read. Search, or choose one; `,
      el('kbd', {}, '/'),
      ' goes to the search.',
    ),
    el(
      'p',
      { class: 'soft' },
      'For programs: ',
      el('code', {}, '/doc-bearer/index.json'),
      ' and ',
      el('code', {}, '/doc-bearer/<model>.json'),
      ' with a key.',
    ),
  ];
}

function askWho(why) {
  content.replaceChildren(...signInView(open, why));
}

if (hasSession) open();
else askWho(null);
