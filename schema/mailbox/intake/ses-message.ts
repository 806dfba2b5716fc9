import { isObject } from '../../../src/json.ts';
import { UNKNOWN_VERDICTS, type Verdicts } from './verdicts.ts';

export interface SesMessage {
  id: string;
  sender: string;
  recipients: string[];
  /** Null if the content is in a bucket. */
  content: Buffer | null;
  object: { bucket: string; key: string } | null;
  /** True if SES classified the message as spam or found a virus. */
  isSpam: boolean;
  verdicts: Verdicts;
}

/** Parses an SES receipt notification. Returns null for other notifications, such as test messages. */
export function parseSesMessage(message: string): SesMessage | null {
  const notice = parseObject(message);
  const { mail, receipt } = notice;
  if (notice.notificationType !== 'Received' || !isObject(mail) || !isObject(receipt)) return null;
  const { messageId, source } = mail;
  const { recipients, action } = receipt;
  if (typeof messageId !== 'string' || !/^[\w.@-]{1,200}$/.test(messageId)) return null;
  if (!Array.isArray(recipients) || !isObject(action)) return null;
  const readVerdict = (name: string): string => {
    const verdictValue = receipt[`${name}Verdict`];
    return isObject(verdictValue) && typeof verdictValue.status === 'string' ? verdictValue.status : '';
  };
  const { content } = notice;
  return {
    id: messageId,
    sender: typeof source === 'string' && source !== '<>' ? source : '',
    recipients: recipients.filter((recipient) => typeof recipient === 'string').slice(0, MAX_RECIPIENTS),
    content:
      typeof content === 'string'
        ? Buffer.from(content, action.encoding === 'BASE64' ? 'base64' : 'utf8')
        : null,
    object:
      typeof action.bucketName === 'string' && typeof action.objectKey === 'string'
        ? { bucket: action.bucketName, key: action.objectKey }
        : null,
    isSpam: readVerdict('spam') === 'FAIL' || readVerdict('virus') === 'FAIL',
    verdicts: {
      ...UNKNOWN_VERDICTS,
      spf: toConclusiveVerdict(readVerdict('spf')),
      dkim: toConclusiveVerdict(readVerdict('dkim')),
      dmarc: toConclusiveVerdict(readVerdict('dmarc')),
      policy: typeof receipt.dmarcPolicy === 'string' ? receipt.dmarcPolicy.toLowerCase() : null,
    },
  };
}

/** SES allows at most this many recipients per message. */
const MAX_RECIPIENTS = 500;

/** Returns null for GRAY and PROCESSING_FAILED, which are inconclusive. */
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
