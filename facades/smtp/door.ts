import type { AddressInfo, Server } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { recordUse, recordWrongKey, type SignInOrigin } from '../../src/engine/identity/sign-in.ts';
import { call } from '../../src/engine/verb/call.ts';
import { AppError } from '../../src/errors.ts';
import { createCallerCtx, toPublicError } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { toPlainAddress } from '../../src/net/networks.ts';
import { createBudget } from '../../src/room.ts';
import { certificateOf } from './certificate.ts';
import { sendingOf } from './message.ts';
import type { Mail } from './parse.ts';
import { readMessage } from './read-message.ts';
import { Reply, replies, replyOf } from './replies.ts';
import type { Pair } from './self-signed.ts';
import { tlsListener } from './tls-listener.ts';

/** The door that any SMTP client submits mail at (RFC 6409, RFC 8314). */
export interface Submission {
  /** 0 where it does not listen. */
  port: number;
  /** That of TLS from the first byte. */
  tlsPort: number;
  /** Takes no more mail, lets what has begun end within the drain time and hangs up. */
  close(): Promise<void>;
}

export interface SubmissionOptions {
  /** 0 picks a free port. */
  port?: number | null;
  /** For TLS from the first byte. */
  tlsPort?: number | null;
  /** Whether a client may show its key without TLS; by default one on this machine. */
  near?(address: string): boolean;
}

/** What the sessions of both ports share. */
interface Desk {
  runtime: Runtime;
  near(address: string): boolean;
  room: ReturnType<typeof createBudget>;
  ports: { listener: Server; server: SMTPServer }[];
  /** Messages that are being read or accepted. */
  running: number;
  ending: boolean;
}

export async function startSubmission(runtime: Runtime, options: SubmissionOptions): Promise<Submission> {
  const room = createBudget(limits.submission.bytes);
  const near = options.near ?? isLoopback;
  const desk: Desk = { runtime, near, room, ports: [], running: 0, ending: false };
  try {
    const port = await opened(desk, options.port ?? null, false);
    const tlsPort = await opened(desk, options.tlsPort ?? null, true);
    runtime.metrics.watch('atrium_smtp_connections', 'Open connections of SMTP clients.', () =>
      desk.ports.reduce((sum, { server }) => sum + server.connections.size, 0),
    );
    return { port, tlsPort, close: () => drain(desk) };
  } catch (error) {
    await drain(desk);
    throw error;
  }
}

/** @returns the port it listens on, 0 for none */
async function opened(desk: Desk, wanted: number | null, secure: boolean): Promise<number> {
  if (wanted === null) return 0;
  const { log, config } = desk.runtime;
  const pair = certificateOf(config);
  const server = serverFor(desk, pair, secure);
  // Clients hang up as they like; a failed handshake is their business too.
  server.on('error', (error) => log.debug({ err: error }, 'an SMTP session failed'));
  const listener = secure ? tlsListener(pair, (socket) => server.connect(socket)) : server.server;
  await new Promise<void>((listening, failed) => {
    listener.once('error', failed);
    listener.listen(wanted, config.host, listening);
  });
  desk.ports.push({ listener, server });
  const { port } = listener.address() as AddressInfo;
  log.info({ port, tls: secure }, 'listening for SMTP submission');
  return port;
}

function serverFor(desk: Desk, pair: Pair, secure: boolean): SMTPServer {
  const { config } = desk.runtime;
  const server = new SMTPServer({
    ...pair,
    // Its sockets have their TLS already.
    secure,
    secured: secure,
    name: new URL(config.publicUrl).hostname,
    banner: 'Atrium',
    size: limits.submission.message,
    maxRecipients: limits.email.recipients,
    maxClients: limits.submission.clients,
    socketTimeout: limits.submission.pause,
    authMethods: ['PLAIN', 'LOGIN'],
    // Who may show a key without TLS is decided for each session.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Local parts are ASCII in all that leaves.
    hideSMTPUTF8: true,
    logger: false,
    onConnect(session, done) {
      if (!session.secure && !desk.near(session.remoteAddress)) session.disabledCommands = ['AUTH'];
      done(admitted(desk, session));
    },
    onSecure(_socket, session, done) {
      session.disabledCommands = [];
      done();
    },
    onAuth(auth, session, done) {
      const key = auth.password ?? '';
      signedIn(desk, key, session).then(
        () => done(null, { user: key }),
        (error) => done(replyTo(desk, error)),
      );
    },
    onMailFrom(_address, session, done) {
      if (desk.ending) return done(replies.ending());
      if (!session.user) return done(replies.keyNeeded());
      callerOf(desk, session.user).then(
        () => done(),
        (error) => done(replyTo(desk, error)),
      );
    },
    onData(stream, session, done) {
      accepted(desk, stream, session).then(
        (text) => done(null, text),
        (error) => done(replyTo(desk, error)),
      );
    },
  });
  return server;
}

const connectionsOf = ({ ports }: Desk) => ports.flatMap(({ server }) => [...server.connections]);

/** Sessions that never show a key would take the place of those that do. @returns why this one may not begin */
function admitted(desk: Desk, session: SMTPServerSession): Reply | null {
  const all = connectionsOf(desk);
  if (all.length > limits.submission.clients) return replies.tooManySessions();
  const strangers = all.filter((each) => !each.session.user);
  const near = strangers.filter(({ remoteAddress }) => remoteAddress === session.remoteAddress);
  if (near.length > limits.submission.strangersOfOne) return replies.tooManyStrangers();
  const hangUp = () => {
    const { responseCode, message } = replies.keyTooLate();
    if (session.user) return;
    connectionsOf(desk)
      .find((each) => each.session === session)
      ?.send(responseCode, message);
  };
  setTimeout(hangUp, limits.submission.signInTime).unref();
  return null;
}

/** @throws Reply */
async function signedIn(desk: Desk, key: string, session: SMTPServerSession): Promise<void> {
  const from: SignInOrigin = {
    channel: 'smtp',
    source: toPlainAddress(session.remoteAddress),
    requestId: session.id,
  };
  try {
    await recordUse(desk.runtime, await callerOf(desk, key), from);
  } catch (error) {
    if (error instanceof Reply) await recordWrongKey(desk.runtime, key, from);
    throw error;
  }
}

/** Asked at each message again: a key that is revoked meanwhile sends no more. @throws Reply */
async function callerOf({ runtime }: Desk, key: string): Promise<Caller> {
  const caller = await runtime.identity.byKey(key);
  if (caller?.principal.kind !== 'workspace') throw replies.wrongKey();
  return caller;
}

async function accepted(
  desk: Desk,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  desk.running++;
  const started = performance.now();
  let status = '250';
  try {
    const ids = await readMessage(stream, desk.room, (mail, bytes) => submit(desk, session, mail, bytes));
    return `2.0.0 Ok: queued as ${ids.join(' ')}`;
  } catch (error) {
    status = String(replyTo(desk, error).responseCode);
    throw error;
  } finally {
    desk.running--;
    const seconds = (performance.now() - started) / 1000;
    desk.runtime.metrics.requests.observe({ door: 'smtp', status }, seconds);
    desk.runtime.log.info({ requestId: session.id, door: 'smtp', status }, 'request');
  }
}

/** @returns ids of the emails @throws Reply, AppError */
async function submit(desk: Desk, session: SMTPServerSession, mail: Mail, bytes: number): Promise<string[]> {
  const { mailFrom, rcptTo } = session.envelope;
  const caller = await callerOf(desk, session.user);
  const sender = mailFrom ? mailFrom.address : '';
  const recipients = rcptTo.map(({ address }) => address);
  const { emails, idempotencyKey } = sendingOf({ sender, recipients, mail, bytes }, caller.principal.keyId);
  const ctx = createCallerCtx(desk.runtime, caller, 'smtp', session.id);
  if (emails.length > 1) return call(ctx, 'emailsSend', { inputs: emails, idempotencyKey });
  return [await call(ctx, 'emailSend', { input: emails[0]!, idempotencyKey })];
}

function replyTo({ runtime }: Desk, error: unknown): Reply {
  if (error instanceof Reply) return error;
  // Its own reference stands in the log beside the fault.
  return replyOf(error instanceof AppError ? error : toPublicError(runtime, error, crypto.randomUUID()));
}

/** The whole of 127.0.0.0/8, also as written on a socket for both families. */
const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);

async function drain(desk: Desk): Promise<void> {
  desk.ending = true;
  const closed = desk.ports.map(
    ({ listener }) => new Promise<void>((resolve) => listener.close(() => resolve())),
  );
  const end = Date.now() + limits.http.drainTime;
  while (desk.running > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  // A moment for the last answers to leave.
  await new Promise((resolve) => setImmediate(resolve));
  for (const connection of connectionsOf(desk)) connection.send(421, replies.ending().message);
  await Promise.all(closed);
}
