import { isObject } from '../../../src/json.ts';
import { UNKNOWN_VERDICTS, type Verdicts } from './verdicts.ts';

/** A message that SES has received. */
export interface SesMessage {
  /** SES's id of it. */
  id: string;
  sender: string;
  recipients: string[];
  /** Null where it is in a bucket. */
  content: Buffer | null;
  object: { bucket: string; key: string } | null;
  /** SES takes it for spam, or has found a virus in it. */
  isSpam: boolean;
  verdicts: Verdicts;
}

/** Reads a notice of SES's email receiving; null for what is none, such as a test message. Pure. */
export function parseSesMessage(message: string): SesMessage | null {
  const notice = parseObject(message);
  const { mail, receipt } = notice;
  if (notice.notificationType !== 'Received' || !isObject(mail) || !isObject(receipt)) return null;
  const { messageId, source } = mail;
  const { recipients, action } = receipt;
  if (typeof messageId !== 'string' || !/^[\w.@-]{1,200}$/.test(messageId)) return null;
  if (!Array.isArray(recipients) || !isObject(action)) return null;
  const verdict = (name: string): string => {
    const verdictValue = receipt[`${name}Verdict`];
    return isObject(verdictValue) && typeof verdictValue.status === 'string' ? verdictValue.status : '';
  };
  const { content } = notice;
  return {
    id: messageId,
    sender: typeof source === 'string' && source !== '<>' ? source : '',
    recipients: recipients.filter((each) => typeof each === 'string').slice(0, MAX_RECIPIENTS),
    content:
      typeof content === 'string'
        ? Buffer.from(content, action.encoding === 'BASE64' ? 'base64' : 'utf8')
        : null,
    object:
      typeof action.bucketName === 'string' && typeof action.objectKey === 'string'
        ? { bucket: action.bucketName, key: action.objectKey }
        : null,
    isSpam: verdict('spam') === 'FAIL' || verdict('virus') === 'FAIL',
    verdicts: {
      ...UNKNOWN_VERDICTS,
      spf: toConclusiveVerdict(verdict('spf')),
      dkim: toConclusiveVerdict(verdict('dkim')),
      dmarc: toConclusiveVerdict(verdict('dmarc')),
      policy: typeof receipt.dmarcPolicy === 'string' ? receipt.dmarcPolicy.toLowerCase() : null,
    },
  };
}

/** Recipients of a message that SES takes. */
const MAX_RECIPIENTS = 500;

/** GRAY and PROCESSING_FAILED say nothing. */
const toConclusiveVerdict = (status: string): string | null =>
  status === 'PASS' || status === 'FAIL' ? status.toLowerCase() : null;

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
