import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { AppError, errors } from '../../src/errors.ts';
import { readBody, UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import { READER_FRAME, renderHtmlPage } from '../../src/http/page.ts';
import { limits } from '../../src/limits.ts';

/** The page where an invited person becomes a user. GET changes nothing, because link scanners follow every link. */
export async function serveUserInvitation(
  runtime: Runtime,
  request: Request,
  requestId: string,
): Promise<Response> {
  const query = parseLinkQuery(request);
  const expires = query.get('expires') ?? '';
  if (!/^\d{1,15}$/.test(expires))
    throw errors.badRequest('This link is not valid. Check that you copied all of it.');
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires: Number(expires) };
  const ctx = await createLinkCtx(runtime, 'user-invitation', link, requestId);
  const invitation = await call(ctx, 'userInvitationShown', {});
  if (!invitation) return expiredResponse(requestId);
  const page = {
    action: `/invitation?${query}`,
    email: invitation.email,
    workspace: ctx.workspace.name,
    requestId,
  };
  if (request.method !== 'POST') return renderForm({ ...page, name: invitation.name ?? '' });
  const { bytes } = await readBody(request, { maxBytes: limits.http.formBody, owner: UNAUTHENTICATED_OWNER });
  const fields = new URLSearchParams(bytes.toString('utf8'));
  const name = fields.get('name') ?? '';
  const password = fields.get('password') ?? '';
  if (password !== fields.get('again'))
    return renderForm({ ...page, name, wrong: "The passwords don't match.", status: 400 });
  try {
    const login = await call(ctx, 'userInvitationAccept', { name, password });
    return login === null ? expiredResponse(requestId) : renderWelcome(login, page.workspace, requestId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return renderForm({ ...page, name, wrong: error.message, status: error.status });
  }
}

const expiredResponse = (requestId: string): Response =>
  renderHtmlPage(
    'Invitation',
    html`<h1>This invitation is no longer valid</h1>
<p>It was used, revoked or sent again. Ask your administrator for a new one.</p>
<p><a href="/login">Sign in</a></p>`,
    requestId,
    { ...READER_FRAME, status: 410 },
  );

const renderWelcome = (login: string, workspace: string, requestId: string): Response =>
  renderHtmlPage(
    'Welcome',
    html`<h1>Welcome to ${workspace}</h1>
<p role="status">You can sign in as <strong>${login}</strong>.</p>
<p><a href="/login">Sign in</a></p>`,
    requestId,
    READER_FRAME,
  );

interface InvitationForm {
  action: string;
  email: string;
  workspace: string;
  name: string;
  requestId: string;
  wrong?: string;
  status?: number;
}

function renderForm({
  action,
  email,
  workspace,
  name,
  requestId,
  wrong,
  status = 200,
}: InvitationForm): Response {
  const body = html`<h1>Join ${workspace}</h1>
<p>Your login is <strong>${email}</strong>.</p>
${wrong && html`<p class="card wrong" role="alert">${wrong}</p>`}
<form class="card" method="post" action="${action}">
<input type="hidden" name="login" value="${email}" autocomplete="username">
<label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" maxlength="${limits.invitation.name}" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="again">Confirm password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button>Join</button>
</form>`;
  return renderHtmlPage(`Join ${workspace}`, body, requestId, { ...READER_FRAME, status });
}
