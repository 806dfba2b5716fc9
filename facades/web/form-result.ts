import { computeKeyedHash, isSameHash } from '../../src/engine/value/keys.ts';
import { isHttps } from '../../src/http/http.ts';
import { prefersHtml, redirect } from '../../src/http/page.ts';
import type { Visit } from '../../src/http/visit.ts';

// A form's page shows the result of the form. If the result were the response to the POST request, a browser that goes
// back would ask to submit the form again.

export interface FormResult {
  status: number;
  error?: string | undefined;
  /** Values to show in the form again. */
  values: Record<string, string>;
}

const COOKIE = 'atrium_form';
const COOKIE_PATTERN = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]+)\\.([0-9a-f]{64})(?:;|$)`);
const MAX_AGE_SECONDS = 60;

/** Maximum length of a value, because browsers limit the size of a cookie. */
const MAX_VALUE_LENGTH = 200;

/**
 * Responds to a form with a redirect to its page, and with a cookie that contains the result. Clients that do not
 * prefer HTML get the page at once, because they may read its status.
 * @param page path and query of the page
 */
export function respondToForm(
  visit: Visit,
  page: string,
  result: FormResult,
  render: (result: FormResult) => Response,
): Response {
  if (!prefersHtml(visit.request.headers)) return render(result);
  const values = Object.entries(result.values).map(([name, value]) => [
    name,
    value.slice(0, MAX_VALUE_LENGTH),
  ]);
  const text = JSON.stringify({ ...result, values: Object.fromEntries(values) });
  const payload = Buffer.from(text).toString('base64url');
  const response = redirect(page, visit.requestId);
  setCookie(visit, response, `${payload}.${computeHash(visit, page, payload)}`, MAX_AGE_SECONDS);
  return response;
}

/** Shows the page with the result of the form that the visitor has just submitted. Null if there is none. */
export function showFormResult(
  visit: Visit,
  page: string,
  render: (result: FormResult) => Response,
): Response | null {
  const [, payload = '', hash = ''] = COOKIE_PATTERN.exec(visit.request.headers.get('cookie') ?? '') ?? [];
  if (!isSameHash(hash, computeHash(visit, page, payload))) return null;
  const response = render(JSON.parse(Buffer.from(payload, 'base64url').toString()) as FormResult);
  setCookie(visit, response, '', 0);
  return response;
}

/** A sibling host can set cookies, so the server signs the result. */
const computeHash = ({ runtime }: Visit, page: string, payload: string): string =>
  computeKeyedHash(runtime.config.secretKey, `form result ${page} ${payload}`);

function setCookie({ runtime, request }: Visit, response: Response, value: string, maxAge: number): void {
  const path = new URL(request.url).pathname;
  const secure = isHttps(runtime) ? '; Secure' : '';
  response.headers.append(
    'set-cookie',
    `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`,
  );
}
