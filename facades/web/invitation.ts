import { html } from 'hono/html';
import { call } from '../../src/engine/operation/call.ts';
import { AppError, errors } from '../../src/errors.ts';
import { createLinkCtx } from '../../src/http/guest.ts';
import { parseLinkQuery } from '../../src/http/link-query.ts';
import {
  READER_FRAME,
  type ReaderLanguage,
  renderHtmlPage,
  selectReaderLanguage,
} from '../../src/http/page.ts';
import { readFormFields } from '../../src/http/public-form.ts';
import type { Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import { type FormResult, respondToForm, showFormResult } from './form-result.ts';

/**
 * Serves the page where an invited person becomes a user. GET changes nothing, because link scanners follow every
 * link.
 */
export async function serveUserInvitation(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const query = parseLinkQuery(request);
  const expires = query.get('expires') ?? '';
  if (!/^\d{1,15}$/.test(expires))
    throw errors.badRequest('This link is not valid. Check that you copied all of it.');
  const link = { id: query.get('id') ?? '', hash: query.get('hash') ?? '', expires: Number(expires) };
  const ctx = await createLinkCtx(runtime, 'user-invitation', link, requestId);
  const reader = { lang: selectReaderLanguage(request), requestId };
  const path = `/invitation?${query}`;
  const invitation = await call(ctx, 'userInvitationShown', {});
  const welcome = ({ values: { login } }: FormResult) =>
    login === undefined ? renderExpired(reader) : renderWelcome(login, ctx.workspace.name, reader);
  if (!invitation) return showFormResult(visit, path, welcome) ?? renderExpired(reader);
  const { email, name: suggestedName } = invitation;
  const page = { action: path, email, workspace: ctx.workspace.name, ...reader };
  const showAgain = ({ status, error, values }: FormResult) =>
    renderForm({ ...page, name: values.name ?? '', error, status });
  if (request.method !== 'POST')
    return showFormResult(visit, path, showAgain) ?? renderForm({ ...page, name: suggestedName ?? '' });
  const fields = await readFormFields(request);
  const name = fields.get('name') ?? '';
  const password = fields.get('password') ?? '';
  const reject = (error: string, status: number) =>
    respondToForm(visit, path, { status, error, values: { name } }, showAgain);
  if (password !== fields.get('again')) return reject(TEXTS[reader.lang].different, 400);
  try {
    const login = await call(ctx, 'userInvitationAccept', { name, password });
    return login === null
      ? renderExpired(reader)
      : respondToForm(visit, path, { status: 200, values: { login } }, welcome);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return reject(error.message, error.status);
  }
}

const TEXTS = {
  en: {
    invitation: 'Invitation',
    ended: 'This invitation is no longer valid',
    endedText: 'It was used, revoked or sent again. Ask your administrator for a new one.',
    signIn: 'Sign in',
    welcome: 'Welcome',
    welcomeTo: (workspace: string) => `Welcome to ${workspace}`,
    canSignIn: 'You can now sign in with this login:',
    join: 'Join',
    joinWorkspace: (workspace: string) => `Join ${workspace}`,
    login: 'Your login:',
    name: 'Your name',
    password: 'Password',
    confirmPassword: 'Confirm password',
    different: "The passwords don't match.",
  },
  de: {
    invitation: 'Einladung',
    ended: 'Diese Einladung ist nicht mehr gültig',
    endedText:
      'Sie wurde angenommen, widerrufen oder erneut gesendet. Bitten Sie Ihren Administrator um eine neue.',
    signIn: 'Anmelden',
    welcome: 'Willkommen',
    welcomeTo: (workspace: string) => `Willkommen bei ${workspace}`,
    canSignIn: 'Sie können sich jetzt mit diesem Benutzernamen anmelden:',
    join: 'Beitreten',
    joinWorkspace: (workspace: string) => `${workspace} beitreten`,
    login: 'Ihr Benutzername:',
    name: 'Ihr Name',
    password: 'Passwort',
    confirmPassword: 'Passwort bestätigen',
    different: 'Die Passwörter stimmen nicht überein.',
  },
} satisfies Record<ReaderLanguage, object>;

function renderExpired({ lang, requestId }: ReaderPage): Response {
  const texts = TEXTS[lang];
  return renderHtmlPage(
    texts.invitation,
    html`<h1>${texts.ended}</h1>
<p>${texts.endedText}</p>
<p><a href="/login">${texts.signIn}</a></p>`,
    requestId,
    { ...READER_FRAME, lang, status: 410 },
  );
}

function renderWelcome(login: string, workspace: string, { lang, requestId }: ReaderPage): Response {
  const texts = TEXTS[lang];
  return renderHtmlPage(
    texts.welcome,
    html`<h1>${texts.welcomeTo(workspace)}</h1>
<p role="status">${texts.canSignIn} <strong>${login}</strong></p>
<p><a href="/login">${texts.signIn}</a></p>`,
    requestId,
    { ...READER_FRAME, lang },
  );
}

interface ReaderPage {
  lang: ReaderLanguage;
  requestId: string;
}

interface InvitationForm extends ReaderPage {
  action: string;
  email: string;
  workspace: string;
  name: string;
  error?: string | undefined;
  status?: number;
}

function renderForm({
  action,
  email,
  workspace,
  name,
  lang,
  requestId,
  error,
  status = 200,
}: InvitationForm): Response {
  const texts = TEXTS[lang];
  const body = html`<h1>${texts.joinWorkspace(workspace)}</h1>
<p>${texts.login} <strong>${email}</strong></p>
${error && html`<p class="card wrong" role="alert">${error}</p>`}
<form class="card" method="post" action="${action}">
<input type="hidden" name="login" value="${email}" autocomplete="username">
<label for="name">${texts.name}</label>
<input id="name" name="name" value="${name}" autocomplete="name" maxlength="${limits.invitation.name}" required>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required>
<label for="again">${texts.confirmPassword}</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button>${texts.join}</button>
</form>`;
  return renderHtmlPage(texts.joinWorkspace(workspace), body, requestId, { ...READER_FRAME, lang, status });
}
