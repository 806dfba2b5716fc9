import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { call } from '../../src/engine/verb/call.ts';
import { errors } from '../../src/errors.ts';
import { callerOf, ctxOf } from '../../src/http/http.ts';
import { type Html, htmlPage, jsonAnswer, likesHtml, redirect } from './layout.ts';

/** A message as the verb `outbox` gives it. */
interface Message {
  emailId: string;
  from: string;
  recipients: string[];
  subject: string | null;
  latestStatus: string;
  keptAt: string;
  source: string;
  /** Whether `source` is only the beginning. */
  isCut: boolean;
}

/** What the local transport kept: JSON for programs, a page for people. */
export async function outbox(runtime: Runtime, request: Request, requestId: string): Promise<Response> {
  const asPage = likesHtml(request.headers) && new URL(request.url).searchParams.get('format') !== 'json';
  const caller = await callerOf(runtime, request.headers, 'web');
  if (!caller && asPage) return redirect('/login?next=/dev/outbox', requestId);
  if (!caller) throw errors.noCredential();
  const messages: RawJson = await call(
    ctxOf(runtime, caller, 'web', requestId, request.headers),
    'outbox',
    {},
  );
  if (!asPage) return jsonAnswer(messages.text, requestId);
  return htmlPage('Outbox', list(messages.value<Message[]>(), caller.workspace.name), requestId);
}

function list(messages: Message[], workspace: string): Html {
  return html`<h1>Outbox</h1>
<p class="soft">The newest messages of ${workspace}, stored by the local transport instead of being sent.
<a href="/dev/outbox?format=json">As JSON</a>, <a href="/">back</a></p>
${messages.length === 0 && NONE}
${messages.map(entry)}`;
}

const NONE = html`<p class="card">No messages yet. The start page shows a command that sends an email.</p>`;

/** The source stays text: what is inside a message never becomes part of our page. */
const entry = (message: Message): Html => html`<article class="card">
<table>
<tr><td class="soft">Subject</td><td><strong>${message.subject ?? ''}</strong></td></tr>
<tr><td class="soft">From</td><td>${message.from}</td></tr>
<tr><td class="soft">To</td><td>${message.recipients.join(', ')}</td></tr>
<tr><td class="soft">Status</td><td>${message.latestStatus}, ${message.keptAt}</td></tr>
<tr><td class="soft">Id</td><td><code>${message.emailId}</code></td></tr>
</table>
<details><summary>Source${message.isCut && ' (truncated)'}</summary><pre>${message.source}</pre></details>
</article>`;
