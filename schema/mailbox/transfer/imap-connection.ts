import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { limits } from '../../../src/limits.ts';
import { createLookup, type NetworkPolicy } from '../../../src/net/lookup.ts';
import type { ImapServer } from './imap-server.ts';
import { createTimeoutError } from './remote-error.ts';

/** Maximum number of bytes that a remote server may send per connection. */
export const MAX_IMAP_BYTES = 96 * 1024 * 1024;
/** Time limit for connecting, including the greeting. */
const IMAP_CONNECT_TIMEOUT_MS = 10_000;

export interface ConnectOptions {
  server: ImapServer;
  network: NetworkPolicy;
  /** Unix time in milliseconds when the connection is closed. */
  until: number;
}

/**
 * Connects and signs in. Logs nothing, connects only to a checked address, and sends the password only over TLS. Tries
 * implicit TLS on every port except 143, and falls back to STARTTLS if the server does not speak TLS.
 */
export async function connectToServer(options: ConnectOptions): Promise<ImapFlow> {
  try {
    return await openConnection(options, options.server.port !== 143);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SSL_WRONG_VERSION_NUMBER') throw error;
  }
  return openConnection(options, false);
}

async function openConnection(options: ConnectOptions, secure: boolean): Promise<ImapFlow> {
  const client = new ImapFlow({ ...buildOptions(options), secure, ...(!secure && { doSTARTTLS: true }) });
  // The pending command reports connection errors.
  client.on('error', () => {});
  limitReceivedBytes(client);
  setTimeout(() => client.close(), options.until - Date.now());
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw Date.now() >= options.until ? createTimeoutError() : error;
  }
}

const BYTE_CHECK_INTERVAL_MS = 100;

/** Disconnects a server that sends too much, because the client buffers a list response until it is complete. */
function limitReceivedBytes(client: ImapFlow): void {
  const timer = setInterval(() => {
    if (client.stats().received > MAX_IMAP_BYTES) client.close();
  }, BYTE_CHECK_INTERVAL_MS);
  client.on('close', () => clearInterval(timer));
}

const buildOptions = ({ server, network, until }: ConnectOptions): ImapFlowOptions => ({
  host: server.host,
  port: server.port,
  auth: { user: server.username, pass: server.password },
  logger: false,
  disableAutoIdle: true,
  disableCompression: true,
  connectionTimeout: IMAP_CONNECT_TIMEOUT_MS,
  greetingTimeout: IMAP_CONNECT_TIMEOUT_MS,
  socketTimeout: Math.max(until - Date.now(), 1),
  maxLiteralSize: limits.mail.importedBytes + 64 * 1024,
  maxResponseSize: 2 * limits.mail.importedBytes,
  tls: { lookup: createLookup(network), minVersion: 'TLSv1.2' } as ImapFlowOptions['tls'],
});
