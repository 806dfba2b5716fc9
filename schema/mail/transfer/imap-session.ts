import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { createBudget } from '../../../src/budget.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { createLookup } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';
import { ImapError, toImapError } from './imap-error.ts';
import type { ImapServer } from './imap-server.ts';

/** A mailbox on another server, signed in. */
export interface ImapSession {
  client: ImapFlow;
  /** When the call must have ended, as `Date.now` counts. */
  until: number;
}

const BUSY_MESSAGE = 'Too many mailboxes are being imported at the moment; try again.';
const connectionSlots = createBudget(limits.mail.imapAtOnce, limits.mail.imapAtOnceOfOne, BUSY_MESSAGE);

/**
 * Signs in to another server, for the time of `work` and within the time limit. Nothing of the conversation is logged.
 * The connection goes to an address that was checked, and the password only through TLS.
 * @throws ImapRefusal, and BUSY when too many are open
 */
export async function withImapSession<T>(
  ctx: Ctx,
  server: ImapServer,
  work: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const allowPrivate = ctx.runtime.config.mailImportAllowPrivate;
  if (!allowPrivate && !isPublicHost(server.host)) throw toImapError(new NonPublicAddressError(server.host));
  connectionSlots.reserve(1, ctx.workspace.id);
  try {
    const until = Date.now() + limits.mail.imapTime;
    return await runAndClose(await signIn(ctx, server, until), until, work);
  } finally {
    connectionSlots.release(1, ctx.workspace.id);
  }
}

async function runAndClose<T>(
  client: ImapFlow,
  until: number,
  work: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => client.close(), until - Date.now());
  try {
    return await work({ client, until });
  } catch (error) {
    throw Date.now() >= until ? createTimeoutError() : toImapError(error as Error);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

const createTimeoutError = () => new ImapError('timeout', 'The server did not answer in time.');

/** A port other than 143 is expected to speak TLS from the first byte; one that does not is asked for an upgrade. */
async function signIn(ctx: Ctx, server: ImapServer, until: number): Promise<ImapFlow> {
  try {
    return await openConnection(ctx, server, until, server.port !== 143);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SSL_WRONG_VERSION_NUMBER')
      throw toImapError(error as Error);
  }
  return openConnection(ctx, server, until, false).catch((error) => {
    throw toImapError(error);
  });
}

async function openConnection(
  ctx: Ctx,
  server: ImapServer,
  until: number,
  secure: boolean,
): Promise<ImapFlow> {
  const client = new ImapFlow({ ...buildOptions(ctx, server), secure, ...(!secure && { doSTARTTLS: true }) });
  // What happens to the connection is heard of by the command that waits for it.
  client.on('error', () => {});
  limitReceivedBytes(client);
  const timer = setTimeout(() => client.close(), until - Date.now());
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw Date.now() >= until ? createTimeoutError() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds between two looks at how much a server has sent. */
const BYTE_CHECK_INTERVAL_MS = 100;

/** One that sends more than any call can use is left: what it sends in a list is held until the list ends. */
function limitReceivedBytes(client: ImapFlow): void {
  const look = setInterval(() => {
    if (client.stats().received > limits.mail.imapBytes) client.close();
  }, BYTE_CHECK_INTERVAL_MS).unref();
  client.on('close', () => clearInterval(look));
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
    connectionTimeout: limits.mail.imapConnectTime,
    greetingTimeout: limits.mail.imapConnectTime,
    socketTimeout: limits.mail.imapTime,
    maxLiteralSize: limits.mail.importedBytes + 64 * 1024,
    maxResponseSize: 2 * limits.mail.importedBytes,
    tls: {
      lookup: createLookup({ allowPrivate, dnsServers }),
      minVersion: 'TLSv1.2',
    } as ImapFlowOptions['tls'],
  };
}
