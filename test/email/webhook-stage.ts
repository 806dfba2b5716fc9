import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { EmailStatus } from '../../schema/email/state/email-status.ts';
import {
  startWebhookWorker,
  type WebhookOptions,
  type WebhookWorker,
} from '../../schema/email/webhooks/worker.ts';
import { sql } from '../../src/db/sql.ts';
import { buildMail, setUpTeam, type Team } from '../harness/facades/rest.ts';
import { reportStatus } from './sending.ts';

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the event
  body: any;
}

type ReceiverReply = number | { status: number; text: string; retryAfter?: string };

export interface CreatedWebhook {
  id: number;
  secret: string;
}

/** A team that sends, a receiver of its webhooks, and actions for tests. Each test starts without webhooks. */
export interface WebhookStage {
  readonly team: Team;
  readonly url: string;
  readonly port: number;
  received: ReceivedCall[];
  /** Builds the response to a call. Reset to 200 before each test. */
  answer(call: ReceivedCall): ReceiverReply | Promise<ReceiverReply>;
  /** Starts a worker on the team's database or another one. It stops after the test. */
  work(options?: WebhookOptions, db?: Team['runtime']['db']): void;
  gql(query: string, key?: string): Promise<never>;
  make(extra?: string, path?: string): Promise<CreatedWebhook>;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the event
  calls(id: number): Promise<any[]>;
  types(): string[];
  /** Connections to the receiver since the start of the test. */
  connections(): number;
  /** Closes the idle connections of the receiver without notice. */
  hangUp(): void;
  sent(change?: object): Promise<string>;
  tell(id: string, status: EmailStatus, data?: object): Promise<void>;
}

/** Registers the hooks of a test file. @returns its stage */
export function stageWebhooks(): WebhookStage {
  const team = setUpTeam({ WEBHOOK_ALLOW_PRIVATE: '1' });
  let workers: WebhookWorker[] = [];
  const receiver = createServer(async (request, response) => {
    let raw = '';
    for await (const part of request) raw += part;
    const call = { path: request.url!, headers: request.headers, raw, body: JSON.parse(raw) };
    stage.received.push(call);
    const reply = await stage.answer(call);
    const { status, text, retryAfter } =
      typeof reply === 'number' ? { status: reply, text: 'thanks', retryAfter: undefined } : reply;
    response.statusCode = status;
    if (retryAfter) response.setHeader('retry-after', retryAfter);
    if (status === 302) response.setHeader('location', `${stage.url}/redirected`);
    response.end(text);
  });

  // A busy machine may need more than the default of five seconds between two calls.
  receiver.keepAliveTimeout = 60_000;
  let connections = 0;
  receiver.on('connection', () => {
    connections++;
  });

  beforeAll(async () => {
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    await team.deliver();
  });
  afterAll(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  beforeEach(async () => {
    receiver.closeAllConnections();
    connections = 0;
    stage.received = [];
    stage.answer = () => 200;
    await team.runtime.db.rows(sql`delete from svc_webhook where workspace_id > 0`);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });

  const gql: WebhookStage['gql'] = async (query, key = team.main.admin.key) => {
    const { data, errors } = await team.graphql(query, {}, key);
    if (errors[0]) throw new Error(errors[0].message);
    return Object.values(data)[0] as never;
  };
  const stage: WebhookStage = {
    team,
    get url() {
      return `http://127.0.0.1:${stage.port}`;
    },
    get port() {
      return (receiver.address() as AddressInfo).port;
    },
    received: [],
    answer: () => 200,
    work: (options = { pause: 20 }, db = team.runtime.db) => {
      workers.push(startWebhookWorker({ ...team.runtime, db }, options));
    },
    gql,
    make: async (extra = '', path = '') => {
      const mutation = `mutation { webhookCreate(url: "${stage.url}/${path}"${extra && `, ${extra}`}) { id secret } }`;
      const { id, secret } = (await gql(mutation)) as { id: string; secret: string };
      return { id: Number(id), secret };
    },
    calls: async (id) => {
      const { nodes } = (await gql(
        `{ webhookCalls(where: { webhookId: { eq: ${id} } }) { nodes { id callId type status attempt payload
          responseStatus responseText responseMs lastError nextAttemptAt createdAt updatedAt } } }`,
      )) as { nodes: { id: string; type: string }[] };
      return nodes.map(({ id, type, ...call }) => ({
        ...call,
        id: Number(id),
        type: type.toLowerCase().replace('_', '.'),
      }));
    },
    connections: () => connections,
    hangUp: () => receiver.closeAllConnections(),
    types: () => stage.received.map((call) => call.body.type),
    sent: async (change = {}) => (await team.send(buildMail(change))).json.emailId,
    tell: (id, status, data = {}) => reportStatus(team, id, status, data),
  };
  return stage;
}
