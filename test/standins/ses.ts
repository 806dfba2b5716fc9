import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type Account, createAccount } from './ses-account.ts';
import { buildAutomaticEvents, buildSesEvent, type SesEventType } from './ses-events.ts';
import { createIdentity, type IdentityStatus } from './ses-identities.ts';
import { createModes, createQuota, type Modes, type Quota } from './ses-modes.ts';
import type { AcceptedMessage } from './ses-send.ts';
import { readBody, serveRequest } from './ses-wire.ts';
import { createTopic, type Topic } from './sns.ts';

export interface SesOptions {
  port?: number;
  accessKeyId?: string;
  secretAccessKey?: string;
  /** Verifies every signature. Default: true. Benchmarks disable it. */
  verify?: boolean;
  /** Stores the bytes of accepted messages. Default: true. Benchmarks disable it and keep only ids and recipients. */
  keepRaw?: boolean;
  /** Value of SigningCertURL. Default: the stand-in's own URL. */
  certUrl?: string;
}

/**
 * An SES v2 endpoint on loopback that implements the wire protocol. Other processes can control it through `/standin/`.
 */
export interface SesStandin {
  url: string;
  account: Account;
  topic: Topic;
  accepted: AcceptedMessage[];
  posts(): number;
  set(modes: Partial<Modes>, quota?: Partial<Quota>): void;
  /** Sets the status of an identity, its DKIM and its MAIL FROM. Creates the identity if necessary. */
  verify(name: string, status?: IdentityStatus, errorType?: string): void;
  /** Email ids (X-Atrium-Email-ID) accepted more than once for the same recipients, with their counts. */
  duplicates(): Record<string, number>;
  /**
   * Sends the subscription confirmation to the URL, and uses the URL for events.
   * @returns the HTTP status of the subscriber
   */
  subscribe(url: string): Promise<number>;
  confirmed(): boolean;
  /**
   * Posts a signed event about an accepted message.
   * @returns the HTTP status of the subscriber, or 0 if there is no subscriber
   */
  notify(
    messageId: string,
    type: SesEventType,
    options?: Parameters<typeof buildSesEvent>[2],
  ): Promise<number>;
  reset(): void;
  close(): Promise<void>;
}

export interface SesState {
  account: Account;
  accepted: AcceptedMessage[];
  keys: ReadonlyMap<string, string> | null;
  keepRaw: boolean;
  posts: number;
  subscriber: string | null;
  token: string | null;
  confirmed: boolean;
  onAccepted(message: AcceptedMessage): void;
}

export async function startSes(options: SesOptions = {}): Promise<SesStandin> {
  const state = createState(options);
  const server = createServer((request, response) => {
    readBody(request, (body) => serveRequest(standin, state, request, response, body));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((listening) => server.listen(options.port ?? 0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { certUrl } = options;
  const topic = createTopic({ base: () => url, ...(certUrl ? { certUrl: () => certUrl } : {}) });
  const standin = createStandin(state, topic, url, async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  state.onAccepted = (message) => void publishEvents(state, topic, message);
  return standin;
}

function createState(options: SesOptions): SesState {
  const keys = new Map([[options.accessKeyId ?? 'standin', options.secretAccessKey ?? 'standin-secret']]);
  return {
    account: createAccount(),
    accepted: [],
    keys: options.verify === false ? null : keys,
    keepRaw: options.keepRaw !== false,
    posts: 0,
    subscriber: null,
    token: null,
    confirmed: false,
    onAccepted: () => {},
  };
}

function createStandin(state: SesState, topic: Topic, url: string, close: () => Promise<void>): SesStandin {
  const { account, accepted } = state;
  return {
    url,
    account,
    topic,
    accepted,
    close,
    posts: () => state.posts,
    confirmed: () => state.confirmed,
    duplicates: () => findDuplicates(accepted),
    set(modes, quota) {
      Object.assign(account.modes, { times: createModes().times }, modes);
      Object.assign(account.quota, quota);
    },
    verify(name, status = 'SUCCESS', errorType) {
      const identity = account.identities.get(name) ?? createIdentity();
      const states = { status, dkimStatus: status, mailFromStatus: status, errorType: errorType ?? null };
      account.identities.set(name, Object.assign(identity, states));
    },
    async subscribe(subscriber) {
      const confirmation = topic.confirmation();
      Object.assign(state, { subscriber, token: confirmation.Token ?? null, confirmed: false });
      return topic.post(subscriber, confirmation);
    },
    async notify(messageId, type, options) {
      const message = accepted.find((item) => item.messageId === messageId);
      if (!message || !state.subscriber) return 0;
      return topic.post(state.subscriber, topic.notification(buildSesEvent(message, type, options)));
    },
    reset() {
      Object.assign(account.modes, createModes());
      Object.assign(account.quota, createQuota());
      accepted.length = 0;
      state.posts = 0;
    },
  };
}

async function publishEvents(state: SesState, topic: Topic, message: AcceptedMessage): Promise<void> {
  if (!state.account.modes.autoEvents || !state.subscriber) return;
  for (const event of buildAutomaticEvents(message))
    await topic.post(state.subscriber, topic.notification(event));
}

function findDuplicates(acceptedMessages: readonly AcceptedMessage[]): Record<string, number> {
  const counts = new Map<string, { emailId: string; count: number }>();
  for (const { emailId, recipients } of acceptedMessages) {
    if (emailId === null) continue;
    // Two parts of a split envelope are not duplicates.
    const key = `${emailId}\n${[...recipients].sort().join()}`;
    const previous = counts.get(key);
    if (previous) previous.count += 1;
    else counts.set(key, { emailId, count: 1 });
  }
  const twice = [...counts.values()].filter((count) => count.count > 1);
  return Object.fromEntries(twice.map((response) => [response.emailId, response.count]));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'access-key': { type: 'string', default: 'standin' },
      'secret-key': { type: 'string', default: 'standin-secret' },
      'no-verify': { type: 'boolean', default: false },
      'no-raw': { type: 'boolean', default: false },
    },
  });
  const standin = await startSes({
    port: Number(values.port),
    accessKeyId: values['access-key'],
    secretAccessKey: values['secret-key'],
    verify: !values['no-verify'],
    keepRaw: !values['no-raw'],
  });
  console.log(JSON.stringify({ url: standin.url }));
  const stop = () => standin.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
