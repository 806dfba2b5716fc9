import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import { createBudget } from '../../../src/budget.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { createLookup } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';
import { ImapError, toImapError } from './imap-error.ts';
import type { ImapServer } from './imap-server.ts';

/** Maximum number of bytes that a remote server may send per connection. */
export const MAX_IMAP_BYTES = 96 * 1024 * 1024;
/** Maximum duration of a connection. Messages received before the timeout are filed. */
const IMAP_TIMEOUT_MS = 45_000;
/** Time limit for connecting, including the greeting. */
const IMAP_CONNECT_TIMEOUT_MS = 10_000;
const MAX_IMAP_CONNECTIONS = 16;
const MAX_IMAP_CONNECTIONS_PER_WORKSPACE = 4;

export interface ImapSession {
  client: ImapFlow;
  /** Deadline of the connection, as Unix time in milliseconds. */
  until: number;
}

const BUSY_MESSAGE = 'Too many mailboxes are being imported at the moment. Try again.';
const connectionSlots = createBudget(MAX_IMAP_CONNECTIONS, MAX_IMAP_CONNECTIONS_PER_WORKSPACE, BUSY_MESSAGE);

/**
 * Signs in to a remote server and calls `run`, within the time limit. Logs nothing from the session, connects only to a
 * checked address, and sends the password only over TLS.
 * @throws ImapError
 * @throws BUSY if too many sessions are open
 */
export async function withImapSession<T>(
  ctx: Ctx,
  server: ImapServer,
  run: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const allowPrivate = ctx.runtime.config.mailImportAllowPrivate;
  if (!allowPrivate && !isPublicHost(server.host)) throw toImapError(new NonPublicAddressError(server.host));
  connectionSlots.reserve(1, ctx.workspace.id);
  try {
    const deadline = Date.now() + IMAP_TIMEOUT_MS;
    return await runAndClose(await signIn(ctx, server, deadline), deadline, run);
  } finally {
    connectionSlots.release(1, ctx.workspace.id);
  }
}

async function runAndClose<T>(
  client: ImapFlow,
  deadline: number,
  run: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => client.close(), deadline - Date.now());
  try {
    return await run({ client, until: deadline });
  } catch (error) {
    throw Date.now() >= deadline ? createTimeoutError() : toImapError(error as Error);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

const createTimeoutError = () => new ImapError('timeout', 'The server did not respond in time.');

/** Tries implicit TLS on every port except 143, and falls back to STARTTLS if the server does not speak TLS. */
async function signIn(ctx: Ctx, server: ImapServer, deadline: number): Promise<ImapFlow> {
  try {
    return await openConnection(ctx, server, deadline, server.port !== 143);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SSL_WRONG_VERSION_NUMBER')
      throw toImapError(error as Error);
  }
  return openConnection(ctx, server, deadline, false).catch((error) => {
    throw toImapError(error);
  });
}

async function openConnection(
  ctx: Ctx,
  server: ImapServer,
  deadline: number,
  secure: boolean,
): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow({ ...buildOptions(ctx, server), secure, ...(!secure && { doSTARTTLS: true }) });
  // The pending command reports connection errors.
  client.on('error', () => {});
  limitReceivedBytes(client);
  const timer = setTimeout(() => client.close(), deadline - Date.now());
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw Date.now() >= deadline ? createTimeoutError() : error;
  } finally {
    clearTimeout(timer);
  }
}

const BYTE_CHECK_INTERVAL_MS = 100;

/** Disconnects a server that sends too much, because the client buffers a list response until it is complete. */
function limitReceivedBytes(client: ImapFlow): void {
  const timer = setInterval(() => {
    if (client.stats().received > MAX_IMAP_BYTES) client.close();
  }, BYTE_CHECK_INTERVAL_MS).unref();
  client.on('close', () => clearInterval(timer));
}

function buildOptions(ctx: Ctx, { host, port, username, password }: ImapServer): ImapFlowOptions {
  const { mailImportAllowPrivate: allowPrivate, dnsServers } = ctx.runtime.config;
  return {
    host,
    port,
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: IMAP_CONNECT_TIMEOUT_MS,
    greetingTimeout: IMAP_CONNECT_TIMEOUT_MS,
    socketTimeout: IMAP_TIMEOUT_MS,
    maxLiteralSize: limits.mail.importedBytes + 64 * 1024,
    maxResponseSize: 2 * limits.mail.importedBytes,
    tls: {
      lookup: createLookup({ allowPrivate, dnsServers }),
      minVersion: 'TLSv1.2',
    } as ImapFlowOptions['tls'],
  };
}
