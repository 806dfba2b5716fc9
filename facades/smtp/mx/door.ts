import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { networkOf } from '../../../src/engine/identity/password.ts';
import { AppError } from '../../../src/errors.ts';
import { answerable } from '../../../src/http/http.ts';
import { limits } from '../../../src/limits.ts';
import { inNetworks, plainAddress } from '../../../src/net/networks.ts';
import { certificateOf } from '../certificate.ts';
import { Reply, replies, replyOf } from '../replies.ts';
import type { FoundPlace, MailSink, RecipientOutcome } from './mail-sink.ts';
import { beginTransaction, openPeer, type Peer } from './peer.ts';
import { traceHeader } from './trace-header.ts';

/** The door at which other servers bring mail (RFC 5321, RFC 2033). */
export interface MailExchange {
  /** 0 where it does not listen. */
  port: number;
  lmtpPort: number;
  /** Takes no more mail, lets what has begun end within the drain time and hangs up. */
  close(): Promise<void>;
}

export interface MailExchangeOptions {
  /** 0 picks a free port. */
  port?: number | null;
  /** For LMTP, which has an answer for each recipient. */
  lmtpPort?: number | null;
}

/** What the sessions of both ports share. */
interface Desk {
  runtime: Runtime;
  intake: MailSink;
  isRelay(address: string): boolean;
  servers: SMTPServer[];
  /** Who is at the other end of a session. */
  peers: WeakMap<SMTPServerSession, Peer>;
  /** Recipients in a session that are not there, by its id. */
  strangers: WeakMap<SMTPServerSession, number>;
  /** What was found for the recipients of a message, by its envelope. */
  places: WeakMap<object, Map<string, FoundPlace>>;
  /** Messages that are being taken. */
  running: number;
  /** Bytes of them that have come so far. */
  bytes: number;
  /** The same, by whom they come from. */
  bytesFrom: Map<string, number>;
  ending: boolean;
}

export async function startMailExchange(
  runtime: Runtime,
  intake: MailSink,
  options: MailExchangeOptions,
): Promise<MailExchange> {
  const desk: Desk = {
    runtime,
    intake,
    isRelay: inNetworks(runtime.config.mxTrustedRelays),
    servers: [],
    peers: new WeakMap(),
    strangers: new WeakMap(),
    places: new WeakMap(),
    running: 0,
    bytes: 0,
    bytesFrom: new Map(),
    ending: false,
  };
  try {
    const port = await opened(desk, options.port ?? null, false);
    const lmtpPort = await opened(desk, options.lmtpPort ?? null, true);
    runtime.metrics.watch('atrium_mx_connections', 'Open connections of servers that bring mail.', () =>
      desk.servers.reduce((sum, { connections }) => sum + connections.size, 0),
    );
    return { port, lmtpPort, close: () => drain(desk) };
  } catch (error) {
    await drain(desk);
    throw error;
  }
}

/** @returns the port it listens on, 0 for none */
async function opened(desk: Desk, wanted: number | null, isLmtp: boolean): Promise<number> {
  if (wanted === null) return 0;
  const { log, config } = desk.runtime;
  const server = serverFor(desk, isLmtp);
  server.on('error', (error) => log.debug({ err: error }, 'a session of a mail server failed'));
  await new Promise<void>((listening, failed) => {
    server.server.once('error', failed);
    server.listen(wanted, config.host, listening);
  });
  desk.servers.push(server);
  const { port } = server.server.address() as AddressInfo;
  log.info({ port, lmtp: isLmtp }, 'listening for mail of other servers');
  return port;
}

const hostOf = ({ config }: Runtime): string => new URL(config.publicUrl).hostname;

function serverFor(desk: Desk, isLmtp: boolean): SMTPServer {
  return new SMTPServer({
    ...certificateOf(desk.runtime.config),
    lmtp: isLmtp,
    name: hostOf(desk.runtime),
    banner: 'Atrium',
    size: limits.mail.messageBytes,
    maxClients: limits.mx.clients,
    socketTimeout: limits.mx.pause,
    authOptional: true,
    // For relays alone: `openPeer` disables them for the others.
    useXClient: true,
    useXForward: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, done) => done(admitted(desk, session)),
    onMailFrom(_address, session, done) {
      beginTransaction(desk.peers.get(session)!, session);
      done(desk.ending ? replies.ending() : null);
    },
    onRcptTo({ address }, session, done) {
      checkRecipient(desk, session, address).then(
        () => done(),
        (error) => done(replyTo(desk, error)),
      );
    },
    onData(stream, session, done) {
      taken(desk, stream, session, isLmtp).then(
        (answers) => done(null, isLmtp ? answers : String(answers[0])),
        (error) => done(replyTo(desk, error)),
      );
    },
  });
}

/** @returns why this session may not begin */
function admitted(desk: Desk, session: SMTPServerSession): Reply | null {
  const address = plainAddress(session.remoteAddress);
  const peer = openPeer(session, address, desk.isRelay(address));
  desk.peers.set(session, peer);
  if (desk.ending) return replies.ending();
  const all = desk.servers.flatMap(({ connections }) => [...connections]);
  if (all.length > limits.mx.clients) return replies.tooManySessions();
  if (peer.isRelay) return null;
  const from = networkOf(address);
  // One that is not open yet counts when it is.
  const near = all.filter((each) => networkOf(desk.peers.get(each.session)?.address ?? '') === from);
  return near.length > limits.mx.clientsOfOne ? replies.tooManySessions() : null;
}

/** @throws Reply for a recipient that mail is not taken for */
async function checkRecipient(desk: Desk, session: SMTPServerSession, address: string): Promise<void> {
  if (session.envelope.rcptTo.length >= limits.mx.recipients) throw replies.tooManyRecipients();
  const [found] = await desk.intake.find([address], sizeOf(session));
  if (!found) throw refusedStranger(desk, session);
  if (found.isOver) throw replies.overQuota();
  if (found.isFull) throw replies.mailboxFull();
  const { envelope } = session;
  const places = desk.places.get(envelope) ?? new Map<string, FoundPlace>();
  desk.places.set(envelope, places.set(address, found));
}

/** A server that tries names is sent away; a relay passes on what others try. */
function refusedStranger({ strangers, peers }: Desk, session: SMTPServerSession): Reply {
  if (peers.get(session)!.isRelay) return replies.unknownMailbox();
  const count = (strangers.get(session) ?? 0) + 1;
  strangers.set(session, count);
  return count > limits.mx.unknown ? replies.tooManyUnknown() : replies.unknownMailbox();
}

/** As MAIL FROM has announced it. */
function sizeOf({ envelope: { mailFrom } }: SMTPServerSession): number {
  const size = mailFrom ? Number((mailFrom.args as { SIZE?: string }).SIZE) : 0;
  return Number.isSafeInteger(size) && size > 0 ? size : 0;
}

/** @returns an answer for each recipient @throws Reply and whatever hinders keeping it */
async function taken(
  desk: Desk,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  isLmtp: boolean,
): Promise<(string | Reply)[]> {
  const started = performance.now();
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  const peer = desk.peers.get(session)!;
  const head = traceHeader(session, peer.trace, hostOf(desk.runtime), isLmtp, new Date());
  const raw = piecesOf(desk, peer, stream, head);
  desk.running++;
  let status = '250';
  try {
    const result = await desk.intake.take({
      sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
      recipients,
      places: placesOf(desk, session, recipients),
      raw,
      source: 'smtp',
      isForAll: !isLmtp,
      client: peer.client,
    });
    const answers = recipients.map((each) => answerTo(result.get(each) ?? 'unknown', session));
    const refused = answers.filter((answer) => answer instanceof Reply);
    if (refused.length === answers.length) throw refused[0]!;
    return isLmtp ? answers : answers.filter((answer) => !(answer instanceof Reply));
  } catch (error) {
    status = String(replyTo(desk, error).responseCode);
    throw error;
  } finally {
    // Where it was not read to its end, its bytes would count for good.
    await raw.return(undefined);
    await readToEnd(stream);
    desk.running--;
    const seconds = (performance.now() - started) / 1000;
    desk.runtime.metrics.requests.observe({ door: 'mx', status }, seconds);
    desk.runtime.log.info({ requestId: session.id, door: 'mx', status }, 'request');
  }
}

function answerTo(outcome: RecipientOutcome, { id }: SMTPServerSession): string | Reply {
  if (outcome === 'accepted') return `2.0.0 Ok: ${id}`;
  if (outcome === 'unknown') return replies.unknownMailbox();
  return outcome === 'over' ? replies.overQuota() : replies.mailboxFull();
}

function placesOf({ places }: Desk, { envelope }: SMTPServerSession, recipients: string[]): FoundPlace[] {
  const found = places.get(envelope);
  return recipients.flatMap((recipient) => found?.get(recipient) ?? []);
}

/** The message with what this server writes above it. @throws Reply when it is too large or does not come to its end */
async function* piecesOf(
  desk: Desk,
  { address, isRelay }: Peer,
  stream: SMTPServerDataStream,
  head: string,
): AsyncGenerator<Buffer> {
  let size = 0;
  const from = networkOf(address);
  const most = isRelay ? limits.mx.bytes : limits.mx.bytesOfOne;
  const end = performance.now() + limits.mx.dataTime;
  const add = (bytes: number) => {
    desk.bytes += bytes;
    const its = (desk.bytesFrom.get(from) ?? 0) + bytes;
    if (its > 0) desk.bytesFrom.set(from, its);
    else desk.bytesFrom.delete(from);
    return its;
  };
  try {
    yield Buffer.from(head, 'latin1');
    for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      const its = add(piece.length);
      if (size > limits.mail.messageBytes - head.length) throw replies.tooLarge(limits.mail.messageBytes);
      if (desk.bytes > limits.mx.bytes || its > most) throw replies.tooManySessions();
      if (performance.now() > end) throw replies.cutOff();
      yield piece;
    }
    if (stream.sizeExceeded) throw replies.tooLarge(limits.mail.messageBytes);
  } catch (error) {
    throw stream.errored === error ? replies.cutOff() : error;
  } finally {
    add(-size);
  }
}

/** An answer before the end would be taken for one to something else. */
async function readToEnd(stream: SMTPServerDataStream): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  stream.resume();
  await finished(stream, { writable: false }).catch(() => undefined);
}

/** What is not the sender's fault is tried again by it. */
function replyTo({ runtime }: Desk, error: unknown): Reply {
  if (error instanceof Reply) return error;
  const known = error instanceof AppError ? error : answerable(runtime, error, crypto.randomUUID());
  return known.status >= 500 ? replies.laterOn() : replyOf(known);
}

async function drain(desk: Desk): Promise<void> {
  desk.ending = true;
  const closed = desk.servers.map(
    ({ server }) => new Promise<void>((resolve) => server.close(() => resolve())),
  );
  const end = Date.now() + limits.http.drainTime;
  while (desk.running > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setImmediate(resolve));
  for (const { connections } of desk.servers)
    for (const connection of connections) connection.send(421, replies.ending().message);
  await Promise.all(closed);
}
