import type { EmailStatus } from '../state/email-status.ts';
import { interpretSesEvent } from './ses-meaning.ts';

/** What SES reports about one message. */
export interface ProviderNotice {
  status: EmailStatus;
  /** SES's id of the message. */
  providerId: string;
  /** Our own id, from the tags of the message or its header; null if SES included neither. */
  emailId: string | null;
  /** Of the workspace, from the tags of the message; null without a configuration set. */
  workspaceId: number | null;
  /** The object of the event, such as `bounce`. */
  data: Record<string, unknown>;
  /** The whole event, as JSON. */
  event: string;
}

/** By `eventType`, or `notificationType` of the older notifications: the status, and the key of the event's object. */
const KINDS: Record<string, [status: EmailStatus, key: string]> = {
  Send: ['SENT', 'send'],
  Delivery: ['DELIVERED', 'delivery'],
  Bounce: ['BOUNCED', 'bounce'],
  Complaint: ['COMPLAINED', 'complaint'],
  Reject: ['REJECTED', 'reject'],
  Open: ['OPENED', 'open'],
  Click: ['CLICKED', 'click'],
  // With a blank; the key of its object is not the name of the event.
  'Rendering Failure': ['RENDERING_FAILURE', 'failure'],
  DeliveryDelay: ['DELIVERY_DELAYED', 'deliveryDelay'],
};

/** Header our messages are known by, in lower case. */
const HEADER = 'x-atrium-email-id';

/**
 * Reads an event of SES. Null for what is no event about a message, such as SNS's and SES's own test messages and
 * subscriptions, and for a complaint that is none: those are no mistakes. Pure.
 */
export function readSesEvent(message: string): ProviderNotice | null {
  const given = parseJson(message);
  const isStored = isStorableJson(message) && !isDeeper(message, MAX_DEPTH);
  const event = toObject(isStored ? given : clean(given, 0));
  const mail = toObject(event?.mail);
  const kind = event?.eventType ?? event?.notificationType;
  if (!event || !mail || typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) return null;
  const { messageId } = mail;
  if (typeof messageId !== 'string' || messageId === '' || messageId.length > MAX_FIELD_LENGTH) return null;
  const [status, key] = KINDS[kind]!;
  const data = interpretSesEvent(key, toObject(event[key]) ?? {});
  return (
    data && {
      status,
      providerId: messageId,
      emailId: findTag(mail, 'email') ?? findEmailIdHeader(mail),
      workspaceId: parseWorkspaceId(mail),
      data,
      event: isStored ? message : JSON.stringify(event),
    }
  );
}

const MAX_FIELD_LENGTH = 300;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toObject(value: unknown): Record<string, unknown> | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function findEmailIdHeader(mail: Record<string, unknown>): string | null {
  if (!Array.isArray(mail.headers)) return null;
  for (const header of mail.headers) {
    const { name, value } = toObject(header) ?? {};
    if (typeof name === 'string' && name.toLowerCase() === HEADER && typeof value === 'string')
      return value.length <= MAX_FIELD_LENGTH ? value.trim() : null;
  }
  return null;
}

function parseWorkspaceId(mail: Record<string, unknown>): number | null {
  const id = findTag(mail, 'workspace') ?? '';
  return /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647 ? Number(id) : null;
}

/** SES gives each tag as a list of its values. */
function findTag(mail: Record<string, unknown>, name: string): string | null {
  const tag = toObject(mail.tags)?.[name];
  const [value] = Array.isArray(tag) ? tag : [];
  return typeof value === 'string' && value.length <= MAX_FIELD_LENGTH ? value : null;
}

const MAX_DEPTH = 30;

/** Whether JSON certainly holds nothing that a jsonb cannot: no escaped NUL or surrogate, no exponent. */
const isStorableJson = (text: string): boolean =>
  text.isWellFormed() && !/\\u(?:0000|d[89a-f])|\de/i.test(text);

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((each) =>
  each.charCodeAt(0),
);

/** Whether lists and objects of valid JSON lie in more than so many others. A pass over the text is the quickest. */
function isDeeper(json: string, levels: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isQuoted && code === BACKSLASH) at++;
    else if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    if (depth > levels) return true;
  }
  return false;
}

/** The value without NULs and half surrogates, which a jsonb cannot hold, and not nested without end. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cleanText(name), clean(inner, depth + 1)]),
  );
}

const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
