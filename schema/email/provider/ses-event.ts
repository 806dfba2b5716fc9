import type { EmailStatus } from '../state/email-status.ts';
import { interpretSesEvent } from './ses-meaning.ts';

export interface ProviderNotice {
  status: EmailStatus;
  providerId: string;
  /** Our email id, from a tag or header of the message; null if SES included neither. */
  emailId: string | null;
  /** Workspace id from the message's tags; null without a configuration set. */
  workspaceId: number | null;
  /** The event's detail object, such as `bounce`. */
  data: Record<string, unknown>;
  event: string;
}

/** Status and key of the detail object, by `eventType` or, in older notifications, `notificationType`. */
const EVENT_KINDS: Record<string, [status: EmailStatus, key: string]> = {
  Send: ['SENT', 'send'],
  Delivery: ['DELIVERED', 'delivery'],
  Bounce: ['BOUNCED', 'bounce'],
  Complaint: ['COMPLAINED', 'complaint'],
  Reject: ['REJECTED', 'reject'],
  Open: ['OPENED', 'open'],
  Click: ['CLICKED', 'click'],
  // The only event with a space in its name. Its detail object has a different key.
  'Rendering Failure': ['RENDERING_FAILURE', 'failure'],
  DeliveryDelay: ['DELIVERY_DELAYED', 'deliveryDelay'],
};

const EMAIL_ID_HEADER = 'x-atrium-email-id';

/**
 * Parses an SES event. Returns null for other messages, which are not errors: test messages, messages about
 * subscriptions, and feedback reports that are not complaints.
 */
export function parseSesEvent(message: string): ProviderNotice | null {
  const parsed = parseJson(message);
  const isStored = isStorableJson(message) && !isNestedDeeper(message, MAX_DEPTH);
  const event = toObject(isStored ? parsed : toStorableValue(parsed, 0));
  const mail = toObject(event?.mail);
  const kind = event?.eventType ?? event?.notificationType;
  if (!event || !mail || typeof kind !== 'string' || !Object.hasOwn(EVENT_KINDS, kind)) return null;
  const { messageId } = mail;
  if (typeof messageId !== 'string' || messageId === '' || messageId.length > MAX_FIELD_LENGTH) return null;
  const [status, key] = EVENT_KINDS[kind]!;
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
    if (typeof name === 'string' && name.toLowerCase() === EMAIL_ID_HEADER && typeof value === 'string')
      return value.length <= MAX_FIELD_LENGTH ? value.trim() : null;
  }
  return null;
}

function parseWorkspaceId(mail: Record<string, unknown>): number | null {
  const id = findTag(mail, 'workspace') ?? '';
  return /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647 ? Number(id) : null;
}

/** SES returns each tag as an array of values. */
function findTag(mail: Record<string, unknown>, name: string): string | null {
  const tag = toObject(mail.tags)?.[name];
  const [value] = Array.isArray(tag) ? tag : [];
  return typeof value === 'string' && value.length <= MAX_FIELD_LENGTH ? value : null;
}

const MAX_DEPTH = 30;

/** True if the JSON certainly contains nothing that jsonb could reject: escaped NULs, surrogates or exponents. */
const isStorableJson = (text: string): boolean =>
  text.isWellFormed() && !/\\u(?:0000|d[89a-f])|\de/i.test(text);

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((item) =>
  item.charCodeAt(0),
);

/** True if valid JSON is nested deeper than `levels`. Scans the text, because that is fastest. */
function isNestedDeeper(json: string, levels: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (isQuoted && code === BACKSLASH) index++;
    else if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    if (depth > levels) return true;
  }
  return false;
}

/** Removes NULs and lone surrogates, which jsonb rejects, and cuts off deep nesting. */
function toStorableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return removeInvalidChars(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => toStorableValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      removeInvalidChars(name),
      toStorableValue(inner, depth + 1),
    ]),
  );
}

const removeInvalidChars = (text: string): string => text.replaceAll('\0', '').toWellFormed();
