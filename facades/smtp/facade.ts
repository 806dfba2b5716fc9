import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { createBudget } from '../../src/budget.ts';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import {
  recordStatelessSignIn,
  recordWrongKey,
  type SignInOrigin,
} from '../../src/engine/identity/sign-in.ts';
import { call } from '../../src/engine/operation/call.ts';
import { createCallerCtx } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { toPlainAddress } from '../../src/net/networks.ts';
import { loadCertificate } from './certificate.ts';
import { toSendArguments } from './message.ts';
import { parseMessage, type ReceivedMessage } from './parse.ts';
import { createSmtpPorts, type SmtpPorts } from './ports.ts';
import { readMessage } from './read-message.ts';
import { SmtpReply, smtpReplies, toSmtpReply } from './replies.ts';
import type { CertificatePair } from './self-signed.ts';
import { createTlsListener } from './tls-listener.ts';

/** Maximum total size of the messages that a process reads concurrently. */
const MAX_CONCURRENT_MESSAGE_BYTES = 128 * 1024 * 1024;
const SILENT_SESSION_TIMEOUT_MS = 60_000;

/** The mail submission server for SMTP clients (RFC 6409, RFC 8314). */
export interface SubmissionServer {
  /** 0 if the port is closed. */
  port: number;
  tlsPort: number;
  close: SmtpPorts['close'];
}

interface SubmissionOptions {
  /** 0 picks a free port. */
  port?: number | null;
  tlsPort?: number | null;
  /** Returns true if a client may authenticate without TLS. Default: clients on the same machine. */
  isLocal?(address: string): boolean;
}

interface SubmissionState {
  runtime: Runtime;
  isLocal(address: string): boolean;
  budget: ReturnType<typeof createBudget>;
  ports: SmtpPorts;
}

export async function startSubmission(
  runtime: Runtime,
  options: SubmissionOptions,
): Promise<SubmissionServer> {
  const ports = createSmtpPorts(runtime, 'smtp', toSmtpReply);
  const state: SubmissionState = {
    runtime,
    isLocal: options.isLocal ?? isLoopback,
    budget: createBudget(MAX_CONCURRENT_MESSAGE_BYTES),
    ports,
  };
  try {
    const pair = loadCertificate(runtime.config);
    const port = await ports.open(options.port ?? null, () => createServer(state, pair, false));
    const tlsPort = await ports.open(
      options.tlsPort ?? null,
      () => createServer(state, pair, true),
      (server) => createTlsListener(pair, (socket) => server.connect(socket)),
    );
    runtime.metrics.watch(
      'atrium_smtp_connections',
      'Open connections of SMTP clients.',
      () => ports.connections().length,
    );
    return { port, tlsPort, close: ports.close };
  } catch (error) {
    await ports.close();
    throw error;
  }
}

function createServer(state: SubmissionState, pair: CertificatePair, secure: boolean): SMTPServer {
  const { config } = state.runtime;
  const server = new SMTPServer({
    ...pair,
    // The TLS listener passes sockets whose handshake is complete.
    secure,
    secured: secure,
    name: new URL(config.publicUrl).hostname,
    banner: 'Atrium',
    size: limits.submission.message,
    maxRecipients: limits.email.recipients,
    maxClients: limits.submission.clients,
    socketTimeout: SILENT_SESSION_TIMEOUT_MS,
    authMethods: ['PLAIN', 'LOGIN'],
    // `onConnect` disables AUTH for clients that may not authenticate without TLS.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Outgoing addresses have ASCII local parts.
    hideSMTPUTF8: true,
    logger: false,
    onConnect(session, callback) {
      if (!session.secure && !state.isLocal(session.remoteAddress)) session.disabledCommands = ['AUTH'];
      callback(findConnectionError(state, session));
    },
    onSecure(_socket, session, callback) {
      session.disabledCommands = [];
      callback();
    },
    onAuth(auth, session, callback) {
      const key = auth.password ?? '';
      authenticateSession(state, key, session).then(
        () => callback(null, { user: key }),
        (error) => callback(state.ports.toReply(error)),
      );
    },
    onMailFrom(_address, session, callback) {
      if (state.ports.isClosing()) return callback(smtpReplies.shuttingDown());
      if (!session.user) return callback(smtpReplies.authenticationRequired());
      getCaller(state, session.user).then(
        () => callback(),
        (error) => callback(state.ports.toReply(error)),
      );
    },
    onData(stream, session, callback) {
      receiveMessage(state, stream, session).then(
        (text) => callback(null, text),
        (error) => callback(state.ports.toReply(error)),
      );
    },
  });
  return server;
}

/**
 * Limits unauthenticated sessions, which could otherwise use up the slots of authenticated ones.
 * @returns the reason to reject the session, or null
 */
function findConnectionError(state: SubmissionState, session: SMTPServerSession): SmtpReply | null {
  const all = state.ports.connections();
  if (all.length > limits.submission.clients) return smtpReplies.tooManySessions();
  const strangers = all.filter((item) => !item.session.user);
  const connections = strangers.filter(({ remoteAddress }) => remoteAddress === session.remoteAddress);
  if (connections.length > limits.submission.strangersOfOne)
    return smtpReplies.tooManyUnauthenticatedSessions();
  const hangUp = () => {
    const { responseCode, message } = smtpReplies.authenticationTimeout();
    if (session.user) return;
    state.ports
      .connections()
      .find((connection) => connection.session === session)
      ?.send(responseCode, message);
  };
  setTimeout(hangUp, limits.submission.signInTime).unref();
  return null;
}

/** @throws SmtpReply */
async function authenticateSession(
  state: SubmissionState,
  key: string,
  session: SMTPServerSession,
): Promise<void> {
  const from: SignInOrigin = {
    channel: 'smtp',
    source: toPlainAddress(session.remoteAddress),
    requestId: session.id,
  };
  try {
    await recordStatelessSignIn(state.runtime, await getCaller(state, key), from);
  } catch (error) {
    if (error instanceof SmtpReply) await recordWrongKey(state.runtime, key, from);
    throw error;
  }
}

/**
 * Returns the key's caller. Called for every message, so that a revoked key stops working immediately.
 * @throws SmtpReply
 */
async function getCaller({ runtime }: SubmissionState, key: string): Promise<Caller> {
  const caller = await runtime.identity.byKey(key);
  if (caller?.principal.kind !== 'workspace') throw smtpReplies.invalidKey();
  return caller;
}

const receiveMessage = (
  state: SubmissionState,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> =>
  state.ports.receive(session, async () => {
    const ids = await readMessage(stream, state.budget, (message) => submit(state, session, message));
    return `2.0.0 Ok: queued as ${ids.join(' ')}`;
  });

/** @returns ids of the emails @throws SmtpReply, AppError */
async function submit(
  state: SubmissionState,
  session: SMTPServerSession,
  message: ReceivedMessage,
): Promise<string[]> {
  const { mailFrom, rcptTo } = session.envelope;
  const caller = await getCaller(state, session.user);
  const sender = mailFrom ? mailFrom.address : '';
  const recipients = rcptTo.map(({ address }) => address);
  const mail = await parseMessage(message, caller.workspace.id);
  const { emails, idempotencyKey } = toSendArguments(
    { sender, recipients, mail, bytes: message.raw.size },
    caller.principal.keyId,
  );
  const ctx = createCallerCtx(state.runtime, caller, 'smtp', session.id);
  if (emails.length > 1) return call(ctx, 'emailsSend', { inputs: emails, idempotencyKey });
  return [await call(ctx, 'emailSend', { input: emails[0]!, idempotencyKey })];
}

/** True for ::1 and 127.0.0.0/8, including the IPv4-mapped addresses of dual-stack sockets. */
const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
