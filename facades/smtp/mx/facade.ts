import { finished } from 'node:stream/promises';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { getNetwork } from '../../../src/engine/identity/password.ts';
import { limits } from '../../../src/limits.ts';
import { createNetworkMatcher, toPlainAddress } from '../../../src/net/networks.ts';
import { loadCertificate } from '../certificate.ts';
import { createSmtpPorts, type SmtpPorts } from '../ports.ts';
import { SmtpReply, smtpReplies, toSmtpReply } from '../replies.ts';
import type { MailDestination, MailSink, RecipientOutcome } from './mail-sink.ts';
import { beginTransaction, openPeer, type Peer } from './peer.ts';
import { buildReceivedHeader } from './trace-header.ts';

const MAX_SESSIONS = 200;
const MAX_SESSIONS_PER_ADDRESS = 20;
const MAX_UNKNOWN_RECIPIENTS = 20;
const SILENCE_TIMEOUT_MS = 60_000;
const MAX_RECEIVING_BYTES = 256 * 1024 * 1024;
/** Twice the maximum message size. */
const MAX_RECEIVING_BYTES_PER_ADDRESS = 80 * 1024 * 1024;
const DATA_TIMEOUT_MS = 600_000;

/** The MX server, which receives mail from other servers over SMTP (RFC 5321) and LMTP (RFC 2033). */
export interface MailExchangeServer {
  /** 0 if the port is closed. */
  port: number;
  lmtpPort: number;
  close: SmtpPorts['close'];
}

interface MailExchangeOptions {
  /** 0 picks a free port. */
  port?: number | null;
  /** Port for LMTP, which sends a reply for each recipient. */
  lmtpPort?: number | null;
}

interface MailExchangeState {
  runtime: Runtime;
  intake: MailSink;
  isRelay(address: string): boolean;
  ports: SmtpPorts;
  peers: WeakMap<SMTPServerSession, Peer>;
  unknownRecipients: WeakMap<SMTPServerSession, number>;
  /** Mailboxes of the accepted recipients, by envelope and recipient. */
  destinations: WeakMap<object, Map<string, MailDestination>>;
  /** Bytes of messages being received. */
  bytes: number;
  /** Bytes received so far, by client network. */
  bytesFrom: Map<string, number>;
}

export async function startMailExchange(
  runtime: Runtime,
  intake: MailSink,
  options: MailExchangeOptions,
): Promise<MailExchangeServer> {
  // The sender retries after a server error.
  const ports = createSmtpPorts(runtime, 'mx', (error) =>
    error.status >= 500 ? smtpReplies.storageFailed() : toSmtpReply(error),
  );
  const exchange: MailExchangeState = {
    runtime,
    intake,
    isRelay: createNetworkMatcher(runtime.config.mxTrustedRelays),
    ports,
    peers: new WeakMap(),
    unknownRecipients: new WeakMap(),
    destinations: new WeakMap(),
    bytes: 0,
    bytesFrom: new Map(),
  };
  try {
    const port = await ports.open(options.port ?? null, () => createServer(exchange, false));
    const lmtpPort = await ports.open(options.lmtpPort ?? null, () => createServer(exchange, true));
    runtime.metrics.watch(
      'atrium_mx_connections',
      'Open connections of servers that bring mail.',
      () => ports.connections().length,
    );
    return { port, lmtpPort, close: ports.close };
  } catch (error) {
    await ports.close();
    throw error;
  }
}

const getHostname = ({ config }: Runtime): string => new URL(config.publicUrl).hostname;

function createServer(exchange: MailExchangeState, isLmtp: boolean): SMTPServer {
  return new SMTPServer({
    ...loadCertificate(exchange.runtime.config),
    lmtp: isLmtp,
    name: getHostname(exchange.runtime),
    banner: 'Atrium',
    size: limits.mail.messageBytes,
    maxClients: MAX_SESSIONS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    authOptional: true,
    // Only relays may use these commands: `openPeer` disables them for other clients.
    useXClient: true,
    useXForward: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, callback) => callback(checkSession(exchange, session)),
    onMailFrom(sender, session, callback) {
      beginTransaction(exchange.peers.get(session)!, session, exchange.isRelay);
      callback(
        exchange.ports.isClosing()
          ? smtpReplies.shuttingDown()
          : findAddressError(sender, session, MAIL_PARAMETERS),
      );
    },
    onRcptTo(recipient, session, callback) {
      checkRecipient(exchange, session, recipient).then(
        () => callback(),
        (error) => callback(exchange.ports.toReply(error)),
      );
    },
    onData(stream, session, callback) {
      receiveMessage(exchange, stream, session, isLmtp).then(
        (replies) => callback(null, isLmtp ? replies : String(replies[0])),
        (error) => callback(exchange.ports.toReply(error)),
      );
    },
  });
}

/** @returns the reason to reject the session, or null */
function checkSession(exchange: MailExchangeState, session: SMTPServerSession): SmtpReply | null {
  const address = toPlainAddress(session.remoteAddress);
  const peer = openPeer(session, address, exchange.isRelay(address));
  exchange.peers.set(session, peer);
  if (exchange.ports.isClosing()) return smtpReplies.shuttingDown();
  const all = exchange.ports.connections();
  if (all.length > MAX_SESSIONS) return smtpReplies.tooManySessions();
  if (peer.isRelay) return null;
  const from = getNetwork(address);
  // A session without a peer is counted once it is open.
  const sameNetwork = all.filter(
    (item) => getNetwork(exchange.peers.get(item.session)?.address ?? '') === from,
  );
  return sameNetwork.length > MAX_SESSIONS_PER_ADDRESS ? smtpReplies.tooManySessions() : null;
}

const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8'];

/**
 * Returns an error for unsupported parameters, or for a non-ASCII address without SMTPUTF8 (RFC 5321 4.1.1.11, RFC 6531
 * 3.5). Null if valid.
 */
function findAddressError(
  { address, args }: SMTPServerAddress,
  { envelope }: SMTPServerSession,
  parameters: readonly string[],
): SmtpReply | null {
  const unknownName = Object.keys(args || {}).find((name) => !parameters.includes(name));
  if (unknownName !== undefined) return smtpReplies.unknownParameter(unknownName);
  // The library decodes Punycode domains, so only the local part shows whether the client needs SMTPUTF8.
  const isAscii = /^[\x00-\x7f]*(?:@|$)/.test(address);
  return isAscii || envelope.smtpUtf8 ? null : smtpReplies.utf8Required();
}

/** @throws SmtpReply for a rejected recipient */
async function checkRecipient(
  exchange: MailExchangeState,
  session: SMTPServerSession,
  recipient: SMTPServerAddress,
): Promise<void> {
  const error = findAddressError(recipient, session, []);
  if (error) throw error;
  if (recipient.address.toLowerCase() === 'postmaster') recipient.address = await findPostmaster(exchange);
  const { address } = recipient;
  if (session.envelope.rcptTo.length >= limits.mx.recipients) throw smtpReplies.tooManyRecipients();
  const [target] = await exchange.intake.find([address], getAnnouncedSize(session));
  if (!target) throw rejectUnknownRecipient(exchange, session);
  if (target.isOver) throw smtpReplies.largerThanQuota();
  if (target.isFull) throw smtpReplies.mailboxFull();
  const { envelope } = session;
  const places = exchange.destinations.get(envelope) ?? new Map<string, MailDestination>();
  exchange.destinations.set(envelope, places.set(address, target));
}

/**
 * Finds the address for `postmaster` without a domain (RFC 5321 4.5.1): at this server's name, or at the nearest parent
 * domain with a postmaster.
 */
async function findPostmaster({ runtime, intake }: MailExchangeState): Promise<string> {
  const labels = getHostname(runtime).split('.');
  const all = labels.slice(0, 10).map((_, i) => `postmaster@${labels.slice(i).join('.')}`);
  const targets = await intake.find(all, 0);
  return all.find((address) => targets.some(({ recipient }) => recipient === address)) ?? all[0]!;
}

/** Disconnects a client that guesses addresses, but not a relay, which may forward other clients' guesses. */
function rejectUnknownRecipient(
  { unknownRecipients: strangers, peers }: MailExchangeState,
  session: SMTPServerSession,
): SmtpReply {
  if (peers.get(session)!.isRelay) return smtpReplies.unknownMailbox();
  const count = (strangers.get(session) ?? 0) + 1;
  strangers.set(session, count);
  return count > MAX_UNKNOWN_RECIPIENTS
    ? smtpReplies.tooManyUnknownRecipients()
    : smtpReplies.unknownMailbox();
}

/** Returns the SIZE parameter of MAIL FROM (RFC 1870), or 0. */
function getAnnouncedSize({ envelope: { mailFrom } }: SMTPServerSession): number {
  const size = mailFrom ? Number((mailFrom.args as { SIZE?: string }).SIZE) : 0;
  return Number.isSafeInteger(size) && size > 0 ? size : 0;
}

/** @returns a reply for each recipient @throws SmtpReply, or any error that prevents storing the message */
async function receiveMessage(
  exchange: MailExchangeState,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  isLmtp: boolean,
): Promise<(string | SmtpReply)[]> {
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  const peer = exchange.peers.get(session)!;
  const head = buildReceivedHeader(session, peer.trace, getHostname(exchange.runtime), isLmtp, new Date());
  const raw = streamMessage(exchange, peer, stream, head);
  return exchange.ports.receive(session, async () => {
    try {
      const result = await exchange.intake.take({
        sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        recipients,
        places: findDestinations(exchange, session, recipients),
        raw,
        source: 'smtp',
        isForAll: !isLmtp,
        client: peer.client,
      });
      const replies = recipients.map((recipient) =>
        toRecipientReply(result.get(recipient) ?? 'unknown', session),
      );
      const rejections = replies.filter((result) => result instanceof SmtpReply);
      if (rejections.length === replies.length) throw rejections[0]!;
      return isLmtp ? replies : replies.filter((result) => !(result instanceof SmtpReply));
    } finally {
      // Runs the generator's cleanup, so that a partially read message no longer counts toward the limits.
      await raw.return(undefined);
      await readToEnd(stream);
    }
  });
}

function toRecipientReply(outcome: RecipientOutcome, { id }: SMTPServerSession): string | SmtpReply {
  if (outcome === 'accepted') return `2.0.0 Ok: ${id}`;
  if (outcome === 'unknown') return smtpReplies.unknownMailbox();
  return outcome === 'over' ? smtpReplies.largerThanQuota() : smtpReplies.mailboxFull();
}

function findDestinations(
  { destinations: places }: MailExchangeState,
  { envelope }: SMTPServerSession,
  recipients: string[],
): MailDestination[] {
  const target = places.get(envelope);
  return recipients.flatMap((recipient) => target?.get(recipient) ?? []);
}

/**
 * Yields this server's trace header and then the message.
 * @throws SmtpReply if the message is too large or incomplete
 */
async function* streamMessage(
  exchange: MailExchangeState,
  { address, isRelay }: Peer,
  stream: SMTPServerDataStream,
  head: string,
): AsyncGenerator<Buffer> {
  let size = 0;
  const from = getNetwork(address);
  const maxBytes = isRelay ? MAX_RECEIVING_BYTES : MAX_RECEIVING_BYTES_PER_ADDRESS;
  const end = performance.now() + DATA_TIMEOUT_MS;
  const add = (bytes: number) => {
    exchange.bytes += bytes;
    const total = (exchange.bytesFrom.get(from) ?? 0) + bytes;
    if (total > 0) exchange.bytesFrom.set(from, total);
    else exchange.bytesFrom.delete(from);
    return total;
  };
  try {
    yield Buffer.from(head, 'latin1');
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      const total = add(chunk.length);
      if (size > limits.mail.messageBytes - head.length) throw smtpReplies.tooLarge(limits.mail.messageBytes);
      if (exchange.bytes > MAX_RECEIVING_BYTES || total > maxBytes) throw smtpReplies.tooManySessions();
      if (performance.now() > end) throw smtpReplies.connectionClosed();
      yield chunk;
    }
    if (stream.sizeExceeded) throw smtpReplies.tooLarge(limits.mail.messageBytes);
  } catch (error) {
    throw stream.errored === error ? smtpReplies.connectionClosed() : error;
  } finally {
    add(-size);
  }
}

/** Reads a message to its end, because the client would mistake an earlier reply for the reply to another command. */
async function readToEnd(stream: SMTPServerDataStream): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  stream.resume();
  await finished(stream, { writable: false }).catch(() => undefined);
}
