import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { connectAgent } from '../../src/engine/identity/connected-agent.ts';
import { computeRowHash } from '../../src/engine/identity/row-hash.ts';
import { computeKeyedHash, isSameHash } from '../../src/engine/value/keys.ts';
import { errors } from '../../src/errors.ts';
import { getArrival } from '../../src/http/client-address.ts';
import { authenticateSession, findSessionToken, isSameOrigin } from '../../src/http/http.ts';
import { redirect } from '../../src/http/page.ts';
import { OAUTH_SCOPES } from '../../src/http/protected-resource.ts';
import { readFormFields } from '../../src/http/public-form.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import {
  type ConsentRequest,
  renderDecidedPage,
  renderDecisionPage,
  renderExpiredPage,
  renderOtherWorkspacePage,
} from './consent-page.ts';
import { formatRedirect, sanitizeClientName } from './format-client.ts';
import { AGENTS_PATH, APPLICATION_AGENTS_PATH, CONSENT_PATH } from './routes.ts';
import type { AuthorizationServer } from './server.ts';

interface WaitingClient extends ConsentRequest {
  uid: string;
  clientId: string;
  resource: string;
}

/** Renders the consent page. Redirects an unauthenticated user to sign in. */
export async function serveConsentPage(visit: Visit, server: AuthorizationServer): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const client = await findWaitingClient(server, request);
  if (!client) return renderExpiredPage(getAgentsPath(runtime), requestId);
  const caller = await authenticateSession(runtime, request.headers);
  if (!caller)
    return redirect(`/login?next=${encodeURIComponent(`${CONSENT_PATH}/${client.uid}`)}`, requestId);
  return renderDecision(visit, server, { waiting: client, caller });
}

interface DecisionRequest {
  waiting: WaitingClient;
  caller: Caller;
}

function renderDecision(
  { runtime, request, requestId }: Visit,
  { workspace }: AuthorizationServer,
  { waiting, caller }: DecisionRequest,
  error?: string,
): Response {
  if (caller.workspace.id !== workspace.id) return renderOtherWorkspacePage(caller, workspace, requestId);
  const proof = computeProof(runtime, waiting.uid, request);
  const action = `${CONSENT_PATH}/${waiting.uid}`;
  return renderDecisionPage(
    { ...waiting, action, proof, caller, error, agents: getAgentsPath(runtime) },
    requestId,
  );
}

const getAgentsPath = ({ config }: Runtime): string => (config.web ? APPLICATION_AGENTS_PATH : AGENTS_PATH);

/** Computes the CSRF token, which is bound to the session and the request. */
const computeProof = (runtime: Runtime, uid: string, { headers }: Request): string =>
  computeKeyedHash(runtime.config.secretKey, `oauth consent ${uid} ${findSessionToken(runtime, headers)}`);

/**
 * Handles the decision. Returns to the client with a link and a refresh, because `form-action` blocks redirects of
 * forms to other sites.
 */
export async function handleDecision(visit: Visit, server: AuthorizationServer): Promise<Response> {
  const { runtime, request, requestId } = visit;
  if (!isSameOrigin(runtime, request.headers))
    throw errors.notAllowed("A decision can be submitted only on this server's own page.");
  const caller = await authenticateSession(runtime, request.headers);
  const fields = await readFormFields(request);
  const client = await findWaitingClient(server, request);
  if (!client || !caller) return renderExpiredPage(getAgentsPath(runtime), requestId);
  const decision = { waiting: client, caller };
  if (caller.workspace.id !== server.workspace.id) return renderDecision(visit, server, decision);
  if (!isSameHash(computeProof(runtime, client.uid, request), fields.get('proof') ?? ''))
    throw errors.notAllowed("A decision can be submitted only on this server's own page.");
  if (fields.get('decision') !== 'allow') return rejectDecision(visit, server, decision);
  const scopes = client.scopes.filter((scope) => fields.getAll('scope').includes(scope));
  if (scopes.length === 0)
    return renderDecision(visit, server, decision, 'Choose what the program may do, or deny it access.');
  return allowConsent(visit, server, decision, scopes);
}

async function rejectDecision(
  visit: Visit,
  server: AuthorizationServer,
  { waiting }: DecisionRequest,
): Promise<Response> {
  if (!(await server.rows.consume('Interaction', waiting.uid)))
    return showEarlierDecision(visit, server, waiting);
  const result = { error: 'access_denied', error_description: 'The user denied access.' };
  const next = await finishInteraction(server, visit.request, result);
  return renderDecidedPage(waiting, next, false, visit.requestId);
}

async function allowConsent(
  visit: Visit,
  server: AuthorizationServer,
  { waiting, caller }: DecisionRequest,
  scopes: string[],
): Promise<Response> {
  // A session that was opened with a key ends with the key, but a consent would outlive it.
  if (caller.principal.keyId !== null)
    throw errors.notAllowed('You are signed in with an API key. Sign in with your password instead.');
  const { clientId, resource, name, redirectUri } = waiting;
  const { provider, rows } = server;
  // Only the first of two clicks decides.
  if (!(await rows.consume('Interaction', waiting.uid))) return showEarlierDecision(visit, server, waiting);
  const accountId = String(caller.principal.userId);
  const grant = new provider.Grant({ accountId, clientId });
  grant.addResourceScope(resource, scopes.join(' '));
  const grantId = await grant.save();
  await connectAgent(createVisitCtx(visit, caller), caller, {
    grantHash: computeRowHash(visit.runtime.config.secretKey, 'Grant', grantId),
    clientId,
    clientName: name,
    redirectHost: formatRedirect(redirectUri),
    scopes: scopes.map((scope) => scope.replace('mcp:', '')),
    seconds: limits.oauth.consentSeconds,
  });
  await rows.prolong(clientId, limits.oauth.consentSeconds);
  const result = { login: { accountId, remember: false }, select_account: {}, consent: { grantId } };
  const next = await finishInteraction(server, visit.request, result);
  return renderDecidedPage(waiting, next, true, visit.requestId);
}

/** Maximum time that a second click waits for the first click's result, and its polling interval. */
const MAX_DECISION_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 50;

/** Responds to a second click with the first click's decision, and returns to the client. */
async function showEarlierDecision(
  { runtime, request: { headers }, requestId }: Visit,
  { provider }: AuthorizationServer,
  request: ConsentRequest,
): Promise<Response> {
  const { incoming, outgoing } = getArrival(headers);
  for (const deadline = Date.now() + MAX_DECISION_WAIT_MS; Date.now() < deadline; ) {
    const interaction = await provider.interactionDetails(incoming!, outgoing!).catch(() => null);
    if (!interaction) break;
    if (interaction.result)
      return renderDecidedPage(request, interaction.returnTo, !('error' in interaction.result), requestId);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return renderExpiredPage(getAgentsPath(runtime), requestId);
}

type InteractionResult = Record<string, string | Record<string, unknown>>;

/** @returns the URL to continue at */
function finishInteraction(
  { provider }: AuthorizationServer,
  { headers }: Request,
  result: InteractionResult,
): Promise<string> {
  const { incoming, outgoing } = getArrival(headers);
  return provider.interactionResult(incoming!, outgoing!, result, { mergeWithLastSubmission: false });
}

/**
 * Finds the authorization request at this URL that awaits a decision in this browser. Null if none exists or it has
 * expired.
 */
async function findWaitingClient(
  { provider }: AuthorizationServer,
  { url, headers }: Request,
): Promise<WaitingClient | null> {
  const { incoming, outgoing } = getArrival(headers);
  const interaction = await provider.interactionDetails(incoming!, outgoing!).catch(() => null);
  if (!interaction || new URL(url).pathname !== `${CONSENT_PATH}/${interaction.uid}`) return null;
  const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = interaction.params;
  const client = await provider.Client.find(String(clientId)).catch(() => undefined);
  if (!client) return null;
  const requestedScopes = String(scope).split(' ');
  return {
    uid: interaction.uid,
    clientId: client.clientId,
    name: sanitizeClientName(client.clientName ?? 'Unnamed'),
    redirectUri: String(redirectUri),
    redirectUris: [...(client.redirectUris ?? [])],
    resource: String(Array.isArray(resource) ? resource[0] : resource),
    scopes: OAUTH_SCOPES.filter((oauthScope) => requestedScopes.includes(oauthScope)),
  };
}
