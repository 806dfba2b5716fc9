import { html } from 'hono/html';
import type { Caller } from '../../src/engine/ctx/runtime.ts';
import type { Workspace } from '../../src/engine/ctx/workspace.ts';
import { READER_FRAME, renderHtmlPage } from '../../src/http/page.ts';
import { limits } from '../../src/limits.ts';
import { formatRedirect, isLocalRedirect } from './format-client.ts';

export interface ConsentRequest {
  /** Client id. It is a URL if the client publishes its own metadata. */
  clientId: string;
  /** Name that the client claims. */
  name: string;
  redirectUri: string;
  redirectUris: string[];
  scopes: string[];
}

interface ConsentPageOptions extends ConsentRequest {
  action: string;
  /** CSRF token of the form. */
  proof: string;
  caller: Caller;
  error: string | undefined;
  agents: string;
}

const SCOPE_DESCRIPTIONS: Record<string, string> = {
  'mcp:read': 'Read all data that you can read',
  'mcp:write': 'Read, create, change, send and delete on your behalf',
};

export function renderDecisionPage(options: ConsentPageOptions, requestId: string): Response {
  const { name, scopes, action, proof, caller, error, agents } = options;
  const body = html`<form method="post" action="${action}">
<input type="hidden" name="proof" value="${proof}">
<h1>Connect ${name}?</h1>
<p>The program wants to act for you in the workspace <strong>${caller.workspace.name}</strong>
(${caller.workspace.slug}).</p>
${error && html`<p class="card wrong" role="alert">${error}</p>`}
<table class="card">
<tr><th scope="row">Signed in as</th><td>${caller.principal.name} (${caller.principal.login})</td></tr>
<tr><th scope="row">Client name (unverified)</th><td>${name}</td></tr>
<tr><th scope="row">Client metadata</th><td>${getMetadataHost(options)}</td></tr>
<tr><th scope="row">Redirects to</th><td><strong>${formatRedirect(options.redirectUri)}</strong></td></tr>
</table>
${renderWarning(options)}
<fieldset class="bare card"><legend>Permissions</legend>
${scopes.map(
  (scope) => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked>
<span>${SCOPE_DESCRIPTIONS[scope]}</span></label>`,
)}
</fieldset>
<p class="soft">The program never has more rights than you. You can disconnect it at any time under
<a href="${agents}">Agents</a>.</p>
<p class="decision card">
<button name="decision" value="allow">Allow</button>
<button class="second" name="decision" value="deny">Deny</button>
</p>
</form>`;
  return renderHtmlPage(`Connect ${name}? · Atrium`, body, requestId, READER_FRAME);
}

const getMetadataHost = ({ clientId }: ConsentRequest): string =>
  clientId.startsWith('https://') ? new URL(clientId).host : 'none (self-registered)';

/** Warns about redirects to the user's machine, because the receiving program cannot be verified. */
function renderWarning({ redirectUri, redirectUris, clientId }: ConsentRequest) {
  if (!isLocalRedirect(redirectUri)) return '';
  const isVouched = clientId.startsWith('https://') && !redirectUris.every(isLocalRedirect);
  return html`<p class="card wrong" role="note"><strong>Did you just start this connection?</strong>
The program runs on your computer, and its name ${isVouched ? 'may belong to another program' : 'cannot be verified'}.
Allow it only if you just asked a program you know to connect.</p>`;
}

/**
 * Renders the result with a link back to the client. The browser follows a link to a web URL automatically, but opens
 * another program only after a click.
 */
export function renderDecidedPage(
  request: ConsentRequest,
  next: string,
  isAllowed: boolean,
  requestId: string,
): Response {
  const body = html`<h1>${isAllowed ? 'Connected' : 'Denied'}</h1>
<p>${
    isAllowed
      ? html`<strong>${request.name}</strong> can act for you now.`
      : html`${request.name} has no access.`
  }</p>
<p class="card"><a href="${next}">Go back to ${request.name}</a></p>
<p class="soft">You can close this page when the program is connected.</p>`;
  const page = renderHtmlPage(
    `${isAllowed ? 'Connected' : 'Denied'} · Atrium`,
    body,
    requestId,
    READER_FRAME,
  );
  if (/^https?:/i.test(request.redirectUri)) page.headers.set('refresh', `0; url=${next}`);
  return page;
}

export function renderExpiredPage(agents: string, requestId: string): Response {
  const minutes = limits.oauth.decisionSeconds / 60;
  const body = html`<h1>This request has ended</h1>
<p class="card">It has already been answered, has expired after ${minutes} minutes, or was started in another browser.
Start again from the program that you want to connect.</p>
<p><a href="${agents}">Show connected programs</a></p>`;
  return renderHtmlPage('This request has ended · Atrium', body, requestId, { ...READER_FRAME, status: 400 });
}

export function renderOtherWorkspacePage(caller: Caller, workspace: Workspace, requestId: string): Response {
  const body = html`<h1>Wrong workspace</h1>
<p class="card">You are signed in to <strong>${caller.workspace.name}</strong>, and the program wants to connect to
<strong>${workspace.name}</strong>. Sign out, then start again from the program.</p>
<form method="post" action="/logout"><button>Sign out</button></form>`;
  return renderHtmlPage('Wrong workspace · Atrium', body, requestId, { ...READER_FRAME, status: 403 });
}
