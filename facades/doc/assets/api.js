// Never written to storage, a cookie or a URL.
let key = null;

/** @param {string | null} given null deletes the key */
export function setKey(given) {
  key = given;
}

export const hasKey = () => key !== null;

/**
 * Omits the session cookie if there is a key: the cookie may belong to another user, and the server rejects requests
 * with two identities.
 */
const credentials = () => (key === null ? 'same-origin' : 'omit');
const bearer = () => (key === null ? {} : { authorization: `Bearer ${key}` });

/** @throws {ResponseError} */
async function fetchJson(path) {
  const response = await fetch(path, { headers: bearer(), credentials: credentials() });
  const body = await response.json();
  if (!response.ok) throw new ResponseError(response.status, body.message);
  return body;
}

export class ResponseError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const getDocRoot = () => (key === null ? '/doc' : '/doc-bearer');

export const loadIndex = () => fetchJson(`${getDocRoot()}/index.json`);
export const loadModel = (name) => fetchJson(`${getDocRoot()}/${encodeURIComponent(name)}.json?graphql`);

/** Returns the caller: `{ viewer: { login, name }, workspace: { slug, name } }`. @throws {ResponseError} */
export async function loadCaller() {
  const query = '{ viewer { login name } workspace { slug name } }';
  const response = await postJson('/graphql', { query });
  const { data, errors } = JSON.parse(response.text);
  if (!data) throw new ResponseError(response.status, errors[0].message);
  return data;
}

/** Calls a method through the JSON API if there is a key, or else through the page's session endpoint. */
export function callMethod(model, method, named) {
  const base = key === null ? '/doc/call' : '/json/2';
  return postJson(`${base}/${encodeURIComponent(model)}/${encodeURIComponent(method)}`, named);
}

async function postJson(path, body) {
  const started = performance.now();
  const response = await fetch(path, {
    method: 'POST',
    credentials: credentials(),
    headers: { 'content-type': 'application/json', ...bearer() },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, ms: Math.round(performance.now() - started) };
}
