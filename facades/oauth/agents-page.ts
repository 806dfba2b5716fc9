import { html } from 'hono/html';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Caller } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { errors } from '../../src/errors.ts';
import { authenticateSession, isSameOrigin } from '../../src/http/http.ts';
import { redirect, renderHtmlPage } from '../../src/http/page.ts';
import { readFormFields } from '../../src/http/public-form.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { AGENTS_PATH, APPLICATION_AGENTS_PATH } from './routes.ts';

export const MAX_LISTED_AGENTS = 100;

interface AgentRow {
  id: number;
  client_name: string;
  redirect_host: string;
  scope: string;
  create_date: string;
  last_used_at: string | false;
  user_id: [number, string];
}

const FIELDS = ['client_name', 'redirect_host', 'scope', 'create_date', 'last_used_at', 'user_id'];

/** Renders the user's agents, newest first. Administrators also see other users' agents. */
export async function serveAgentsPage(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  const caller = await authenticateSession(runtime, request.headers);
  if (!caller) return redirect(`/login?next=${AGENTS_PATH}`, requestId);
  const from = new URL(request.url).searchParams;
  const ctx = createVisitCtx(visit, caller);
  const body = renderAgents(
    await loadAgentsPage(ctx, parseOffset(from.get('own')), parseOffset(from.get('others'))),
    caller,
    runtime.config.web,
  );
  return renderHtmlPage('Connected agents · Atrium', body, requestId, { bar: AGENTS_PATH });
}

const parseOffset = (text: string | null): number => (/^\d{1,7}$/.test(text ?? '') ? Number(text) : 0);

interface AgentsPageData {
  agents: AgentRow[];
  next: string | null;
}

async function loadAgentsPage(ctx: Ctx, ownPage: number, otherPage: number): Promise<AgentsPageData> {
  const ownRows = await loadAgents(ctx, '=', ownPage, MAX_LISTED_AGENTS + 1);
  const foreignRows =
    ownRows.length > MAX_LISTED_AGENTS
      ? []
      : await loadAgents(ctx, '!=', otherPage, MAX_LISTED_AGENTS + 1 - ownRows.length);
  const isLast = ownRows.length + foreignRows.length <= MAX_LISTED_AGENTS;
  const listedOwn = Math.min(ownRows.length, MAX_LISTED_AGENTS);
  const next = `${AGENTS_PATH}?own=${ownPage + listedOwn}&others=${otherPage + MAX_LISTED_AGENTS - listedOwn}`;
  return { agents: [...ownRows, ...foreignRows].slice(0, MAX_LISTED_AGENTS), next: isLast ? null : next };
}

async function loadAgents(
  ctx: Ctx,
  comparison: '=' | '!=',
  offset: number,
  limit: number,
): Promise<AgentRow[]> {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const agents = await call(ctx, 'recordSearchRead', {
    model: 'svc.connected.agent',
    domain: [
      ['expires_at', '>', now],
      ['user_id', comparison, ctx.principal!.userId],
    ],
    fields: FIELDS,
    offset,
    limit,
  });
  if (!(agents instanceof RawJson)) throw new Error('expected JSON instead of a stream');
  return agents.value<AgentRow[]>();
}

function renderAgents({ agents, next }: AgentsPageData, caller: Caller, isWeb: boolean) {
  return html`<h1>Connected agents</h1>
<p class="soft">Programs that act for a user in ${caller.workspace.name} through MCP.
Disconnecting one takes effect immediately.${
    isWeb &&
    html` Programs with an API key and the activity of all programs are listed in
<a href="${APPLICATION_AGENTS_PATH}">the application</a>.`
  }</p>
${agents.length === 0 ? html`<p class="card">No agents are connected.</p>` : ''}
<ul class="plain">${agents.map((agent) => renderAgent(agent, caller))}</ul>
${next && html`<p><a href="${next}">More agents</a></p>`}`;
}

const renderAgent = (agent: AgentRow, { principal }: Caller) => html`<li class="card">
<strong>${agent.client_name}</strong> <span class="soft">${agent.redirect_host}</span>
<div class="soft">Can ${agent.scope.includes('write') ? 'read and change data' : 'read data'}${
  agent.user_id[0] === principal.userId ? '' : ` for ${agent.user_id[1]}`
}, connected ${agent.create_date} UTC, ${
  agent.last_used_at ? `last used ${agent.last_used_at} UTC` : 'never used'
}</div>
<form class="line" method="post" action="${AGENTS_PATH}">
<button name="id" value="${agent.id}" aria-label="Disconnect ${agent.client_name}">Disconnect</button>
</form>
</li>`;

export async function handleRevocation(visit: Visit): Promise<Response> {
  const { runtime, request, requestId } = visit;
  if (!isSameOrigin(runtime, request.headers))
    throw errors.notAllowed("An agent can be disconnected only on this server's own page.");
  const caller = await authenticateSession(runtime, request.headers);
  if (!caller) throw errors.noCredential();
  const id = Number((await readFormFields(request)).get('id'));
  await call(createVisitCtx(visit, caller), 'connectedAgentRevoke', { id });
  return redirect(AGENTS_PATH, requestId);
}
