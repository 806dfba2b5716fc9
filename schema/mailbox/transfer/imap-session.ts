import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createBudget } from '../../../src/budget.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';
import { ImapError } from './imap-error.ts';
import type { FetchResult, ImapSource } from './imap-fetch.ts';
import type { ListedFolder } from './imap-list.ts';
import type { ImapOrder, ImapReply } from './imap-process.ts';
import type { ImapServer } from './imap-server.ts';
import { createTimeoutError, RemoteError, toRemoteError } from './remote-error.ts';

/** Maximum duration of a connection. Messages received before the timeout are filed. */
const IMAP_TIMEOUT_MS = 45_000;
/** Time that a process has to return the messages received before the timeout. */
const REPLY_GRACE_MS = 2_000;
const MAX_IMAP_CONNECTIONS = 16;
const MAX_IMAP_CONNECTIONS_PER_WORKSPACE = 4;
const MAX_HEAP_MEGABYTES = 256;

/** All methods throw ImapError. */
export interface ImapSession {
  listFolders(): Promise<ListedFolder[]>;
  fetchNextMessages(source: ImapSource): Promise<FetchResult>;
  /** Number of bytes received until the last response. */
  getReceivedBytes(): number;
  /** Deadline of the connection, as Unix time in milliseconds. */
  until: number;
}

const BUSY_MESSAGE = 'Too many mailboxes are being imported at the moment. Try again.';
const connectionSlots = createBudget(MAX_IMAP_CONNECTIONS, MAX_IMAP_CONNECTIONS_PER_WORKSPACE, BUSY_MESSAGE);

/**
 * Signs in to a remote server and calls `run`. The connection has its own process, because a response of 30 bytes can
 * occupy the client library for seconds, and a response of a few megabytes can exhaust the memory.
 * @throws ImapError
 * @throws BUSY if too many sessions are open
 */
export async function withImapSession<T>(
  ctx: Ctx,
  server: ImapServer,
  run: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const { mailImportAllowPrivate: allowPrivate, dnsServers } = ctx.runtime.config;
  if (!allowPrivate && !isPublicHost(server.host))
    throw toImapError(toRemoteError(new NonPublicAddressError(server.host)));
  connectionSlots.reserve(1, ctx.workspace.id);
  try {
    return await withProcess(async (session) => {
      const { until } = session;
      await session.execute({ connect: { server, network: { allowPrivate, dnsServers }, until } });
      return run(session);
    });
  } finally {
    connectionSlots.release(1, ctx.workspace.id);
  }
}

async function withProcess<T>(run: (session: ReturnType<typeof createSession>) => Promise<T>): Promise<T> {
  const child = fork(fileURLToPath(PROCESS_URL), {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`],
    serialization: 'advanced',
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), IMAP_TIMEOUT_MS + REPLY_GRACE_MS);
  try {
    return await run(createSession(child));
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const PROCESS_URL = new URL('./imap-process.ts', import.meta.url);

function createSession(child: ChildProcess) {
  const until = Date.now() + IMAP_TIMEOUT_MS;
  let receivedBytes = 0;
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  failure.catch(() => {});
  child.on('error', fail);
  child.once('disconnect', () =>
    fail(toImapError(Date.now() < until ? PROCESS_ENDED : createTimeoutError())),
  );
  async function execute<T>(order: ImapOrder): Promise<T> {
    const response = new Promise<ImapReply>((resolve) => child.once('message', resolve));
    child.send(order);
    const reply = await Promise.race([response, failure]);
    if ('fault' in reply) throw toImapError(reply.fault);
    ({ receivedBytes } = reply);
    return reply.value as T;
  }
  return {
    execute,
    listFolders: () => execute<ListedFolder[]>({ list: true }),
    fetchNextMessages: (source: ImapSource) => execute<FetchResult>({ fetch: source }),
    getReceivedBytes: () => receivedBytes,
    until,
  };
}

const PROCESS_ENDED = new RemoteError(
  'protocol_error',
  'The server sent a response that takes too much time or memory.',
);

const toImapError = ({ code, message }: Pick<RemoteError, 'code' | 'message'>) =>
  new ImapError(code, message);
