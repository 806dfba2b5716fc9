import { loadCaller, loadIndex, loadModel, setKey } from './api.js';
import { buildElement, getById } from './dom.js';
import { renderModelView } from './model-view.js';
import { sidebar } from './sidebar.js';
import { renderSignIn, showCaller } from './sign-in.js';

const content = getById('content');
const hasSession = document.documentElement.dataset.session === 'true';
const TITLE = document.title;

let index = null;
let caller = null;
let markCurrent = () => {};

function getModelFromUrl() {
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
    markCurrent = sidebar(index.models, openModel);
    await showPage();
    addEventListener('popstate', showPage);
    getById('home').addEventListener('click', goHome);
  } catch (error) {
    setKey(null);
    showSignIn(error.message);
  }
}

function openModel(model, hash = '') {
  history.pushState(null, '', `/doc/${model}${hash}`);
  showPage();
}

/** Navigates without a page load, which would lose the key. */
function goHome(event) {
  event.preventDefault();
  history.pushState(null, '', '/doc');
  showPage();
}

async function showPage() {
  const model = getModelFromUrl();
  markCurrent(model);
  document.title = model ? `${model} · ${TITLE}` : TITLE;
  if (!model) return content.replaceChildren(...renderWelcome());
  if (content.dataset.model !== model) await renderModel(model);
  scrollToElement(location.hash.slice(1));
}

/** Shows a model, unless another one is opened while it loads. */
async function renderModel(model) {
  content.dataset.model = model;
  content.setAttribute('aria-busy', 'true');
  const parts = await loadModel(model).then(
    (described) => renderModelView(described, caller, openModel),
    (error) => [
      buildElement('h1', {}, model),
      buildElement('p', { class: 'wrong', role: 'alert' }, error.message),
    ],
  );
  if (content.dataset.model !== model) return;
  content.removeAttribute('aria-busy');
  content.replaceChildren(...parts);
}

function scrollToElement(id) {
  const target = id && getById(id);
  if (!target) {
    scrollTo(0, 0);
    return content.focus({ preventScroll: true });
  }
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
  (target.querySelector('summary') ?? target).focus();
}

function renderWelcome() {
  delete content.dataset.model;
  return [
    buildElement('h1', {}, 'Models, fields and methods'),
    buildElement(
      'p',
      {},
      `${index.models.length} models you can read. Search, or choose one; `,
      buildElement('kbd', {}, '/'),
      ' goes to the search.',
    ),
    buildElement(
      'p',
      { class: 'soft' },
      'For programs: ',
      buildElement('code', {}, '/doc-bearer/index.json'),
      ' and ',
      buildElement('code', {}, '/doc-bearer/<model>.json'),
      ' with a key.',
    ),
  ];
}

function showSignIn(why) {
  content.replaceChildren(...renderSignIn(open, why));
}

if (hasSession) open();
else showSignIn(null);
