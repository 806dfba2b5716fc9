import { addAbortSignal, Readable } from 'node:stream';
import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { classifySesError } from './classify-ses.ts';
import { buildEnvelope, type Envelope } from './envelope.ts';
import type {
  ProviderLimits,
  SendOutcome,
  SendPart,
  SendResult,
  Tracking,
  Transport,
  TransportMessage,
} from './transport.ts';

export interface SesOptions {
  region: string;
  /** Base URL of a test server. Defaults to the region's endpoint. */
  endpoint?: string | null;
  /** Configuration set of messages that do not specify one. */
  configurationSet?: string | null;
  trackingSets?: Partial<Record<Tracking, string>>;
  /** Timeout for the head of the response, and for its body. */
  requestTimeoutMs?: number;
  connectionTimeoutMs?: number;
}

/** Sends through Amazon SES v2 or a compatible API. Credentials come from the SDK's default chain. */
export function createSesTransport(options: SesOptions): Transport {
  const client = createSesClient(options);
  return {
    name: 'ses',
    send: (message, signal) => sendMessage(client, options, message, signal),
    limits: () => loadLimits(client),
    close: async () => client.destroy(),
  };
}

/** At least the maximum number of concurrent sends in a worker. With fewer sockets, sends would wait inside the SDK. */
const MAX_SOCKETS = 256;

/** `maxAttempts` is 1 because SendEmail has no client token, so every SDK retry could send the email again. */
export function createSesClient(options: SesOptions, maxAttempts = 1): SESv2Client {
  const requestTimeout = options.requestTimeoutMs ?? 15_000;
  const client = new SESv2Client({
    region: options.region,
    maxAttempts,
    cacheMiddleware: true,
    ...(options.endpoint ? { endpoint: options.endpoint } : {}),
    requestHandler: {
      connectionTimeout: options.connectionTimeoutMs ?? 3000,
      requestTimeout,
      // By default, the SDK only logs a warning, so an endpoint that does not respond would block the message forever.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body: Readable };
      response.body = limitBody(response.body, requestTimeout);
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  return client;
}

/** The SDK bounds neither the time nor the size of a response's body. */
function limitBody(body: Readable, timeoutMs: number): Readable {
  addAbortSignal(AbortSignal.timeout(timeoutMs), body);
  async function* read() {
    let size = 0;
    for await (const part of body) {
      size += part.length;
      if (size > MAX_RESPONSE_BYTES) throw new Error('the provider sent too much data');
      yield part;
    }
  }
  return Readable.from(read(), { objectMode: false });
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

const MAX_RECIPIENTS = 50;

/** Splits a message with more recipients than SES accepts into several envelopes, sent one after another. */
async function sendMessage(
  client: SESv2Client,
  options: SesOptions,
  message: TransportMessage,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const to = buildEnvelope(message);
  if ('kind' in to) return to;
  if (to.recipients.length <= MAX_RECIPIENTS) return sendEnvelope(client, options, message, to, signal);
  const parts: SendPart[] = [];
  for (let start = 0; start < to.recipients.length; start += MAX_RECIPIENTS) {
    const recipients = to.recipients.slice(start, start + MAX_RECIPIENTS);
    const outcome = await sendEnvelope(client, options, message, { ...to, recipients }, signal);
    parts.push({ recipients, outcome });
  }
  const first = parts[0]!.outcome;
  return parts.every(({ outcome }) => outcome.kind === 'sent') ? first : { kind: 'partial', parts };
}

async function sendEnvelope(
  client: SESv2Client,
  options: SesOptions,
  message: TransportMessage,
  to: Envelope,
  signal?: AbortSignal,
): Promise<SendResult> {
  if (signal?.aborted)
    return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 0, reason: 'stopped before sending' };
  try {
    const result = await client.send(
      buildSendCommand(options, message, to),
      signal ? { abortSignal: signal } : {},
    );
    if (!result.MessageId) return { kind: 'unknown', reason: 'the provider answered without a message id' };
    return { kind: 'sent', providerId: result.MessageId };
  } catch (error) {
    return classifySesError(error, to.from);
  }
}

/** Names the recipients explicitly, because otherwise SES would read the headers, which lack Bcc. */
function buildSendCommand(options: SesOptions, message: TransportMessage, to: Envelope): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: to.from,
    Destination: { ToAddresses: to.recipients },
    Content: { Raw: { Data: message.raw } },
    ConfigurationSetName: chooseConfigurationSet(options, message) ?? undefined,
    EmailTags: message.tags && Object.entries(message.tags).map(([Name, Value]) => ({ Name, Value })),
  });
}

const chooseConfigurationSet = ({ trackingSets, configurationSet }: SesOptions, message: TransportMessage) =>
  message.configurationSet ?? (message.tracking && trackingSets?.[message.tracking]) ?? configurationSet;

async function loadLimits(client: SESv2Client): Promise<ProviderLimits | null> {
  const quota = (await client.send(new GetAccountCommand({}))).SendQuota;
  if (quota?.MaxSendRate === undefined) return null;
  return {
    perSecond: quota.MaxSendRate,
    perDay: quota.Max24HourSend ?? -1,
    sentLast24h: quota.SentLast24Hours ?? 0,
  };
}
