import { html } from 'hono/html';
import { signIn, signOut } from '../../src/engine/identity/session.ts';
import { AppError, errors } from '../../src/errors.ts';
import {
  addSessionCookies,
  authenticateSession,
  buildSignInOrigin,
  findSessionToken,
  isSameOrigin,
  parseHostSlug,
} from '../../src/http/http.ts';
import { redirect, renderHtmlPage } from '../../src/http/page.ts';
import { readFormFields } from '../../src/http/public-form.ts';
import type { Visit } from '../../src/http/visit.ts';
import { type FormResult, respondToForm, showFormResult } from './form-result.ts';

/**
 * Renders the login page. The page has no workspace field on a workspace-specific host. Redirects signed-in visitors,
 * such as those who go back in the history.
 */
export async function serveLoginPage(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const { searchParams } = new URL(request.url);
  const next = toLocalPath(searchParams.get('next') ?? '/');
  if (await authenticateSession(runtime, request.headers)) return redirect(next, requestId);
  const notice = searchParams.has('ended')
    ? 'Your session has ended. Sign in to return to your page.'
    : undefined;
  return (
    showFormResult(visit, buildLoginPath(next), (result) => renderResult(visit, next, result)) ??
    renderForm(visit, { next, notice })
  );
}

export async function handleLogin(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  if (!isSameOrigin(runtime, request.headers))
    throw errors.notAllowed("You can sign in only on this server's sign-in page.");
  const fields = await readFormFields(request);
  const getField = (name: string) => fields.get(name)?.trim() ?? '';
  const slug = parseHostSlug(runtime, request.headers.get('host')) ?? (getField('workspace') || 'main');
  const values = { login: getField('login'), workspace: slug };
  const next = toLocalPath(getField('next'));
  const reject = (error: string, status: number) =>
    respondToForm(visit, buildLoginPath(next), { status, error, values }, (result) =>
      renderResult(visit, next, result),
    );
  try {
    const signedIn = await signIn(
      runtime,
      { slug, login: values.login, password: fields.get('password') ?? '' },
      buildSignInOrigin(runtime, request.headers, 'web'),
    );
    if (!signedIn) return reject('Wrong login or password.', 401);
    return addSessionCookies(runtime, redirect(next, requestId), signedIn);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'ACCESS_DENIED') throw error;
    return reject(error.message, 429);
  }
}

export async function handleLogout({ runtime, request, requestId }: Visit): Promise<Response> {
  if (!isSameOrigin(runtime, request.headers))
    throw errors.notAllowed('You can sign out only on a page of this server.');
  const token = findSessionToken(runtime, request.headers);
  if (token) await signOut(runtime, token, requestId);
  return addSessionCookies(runtime, redirect('/', requestId), null);
}

const buildLoginPath = (next: string): string => `/login?${new URLSearchParams({ next })}`;

const PLACEHOLDER_ORIGIN = 'http://here.invalid';

export function toLocalPath(next: string): string {
  if (!next.startsWith('/') || !URL.canParse(next, PLACEHOLDER_ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(next, PLACEHOLDER_ORIGIN);
  // A resolved path can begin with two slashes, which a browser would interpret as the start of a host name.
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}

const renderResult = (visit: Visit, next: string, { status, error, values }: FormResult): Response =>
  renderForm(visit, { next, ...values }, error, status);

interface LoginInput {
  notice?: string | undefined;
  next: string;
  login?: string;
  workspace?: string;
}

function renderForm(
  { runtime, request, requestId }: Visit,
  typedInput: LoginInput,
  error?: string,
  status = 200,
): Response {
  const hostSlug = parseHostSlug(runtime, request.headers.get('host'));
  const body = html`<h1>Sign in</h1>
${typedInput.notice && html`<p class="card" role="status">${typedInput.notice}</p>`}
${error && html`<p class="card wrong" role="alert">${error}</p>`}
<form class="card" method="post" action="/login">
<input type="hidden" name="next" value="${typedInput.next}">
${
  hostSlug === null &&
  html`<label for="workspace">Workspace</label>
<input id="workspace" name="workspace" value="${typedInput.workspace ?? 'main'}" required>`
}
<label for="login">Login</label>
<input id="login" name="login" value="${typedInput.login ?? ''}" autocomplete="username" required
  ${typedInput.login ? '' : 'autofocus'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
  ${typedInput.login ? 'autofocus' : ''}>
<button>Sign in</button>
</form>`;
  return renderHtmlPage('Sign in · Atrium', body, requestId, { status, bar: '/login', narrow: true });
}
