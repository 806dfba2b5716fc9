import { parseAddresses } from '../parse/addresses.ts';
import { decodeFieldText, getFirstValue, type HeaderField } from '../parse/header-fields.ts';
import type { ParsedMail } from '../parse/message.ts';
import type { MailReport } from './report.ts';

// Exim, qmail and other servers send bounces as plain text, followed by the returned message or its header.

const RETURNED_COPY = new RegExp(
  '^(?:-{2,100}.{0,20}(?:below this line is a copy|this is a copy of|original message|returned message|' +
    'the following is|the body of the message|the header).*|return-path:.*|received: from.*)$',
  'im',
);

/** @param returnedFields header of the returned message; empty if there is none */
export function parsePlainReport(
  mail: ParsedMail,
  sender: string,
  returnedFields: HeaderField[],
): MailReport | null {
  const failedHeaders = mail.headers.filter(({ name }) => name === 'x-failed-recipients');
  if (sender !== '' || (failedHeaders.length === 0 && !isFromServer(mail))) return null;
  const index = mail.text.search(RETURNED_COPY);
  const report = (index < 0 ? mail.text : mail.text.slice(0, index)).slice(0, 20_000);
  const copy = index < 0 ? '' : mail.text.slice(index);
  const recipients = failedHeaders.flatMap(({ value }) =>
    parseAddresses(value).map(({ address }) => address),
  );
  const diagnostic =
    (EXACT_LINE.exec(report) ?? REPLY_LINE.exec(report))?.[0]?.trim() ??
    findLineAfter(report, recipients[0] ?? '');
  const status = findStatus(diagnostic);
  // The subject may quote the subject of the returned message.
  const isFailure = failedHeaders.length > 0 || status.startsWith('5');
  const isDelay = !isFailure && (DELAY_TEXT.test(mail.subject) || DELAY_TEXT.test(report));
  if (status === '' && !isDelay && failedHeaders.length === 0) return null;
  return {
    kind: 'delivery',
    recipients: [
      {
        addresses: [...recipients, ...(report.match(/[^\s<>"(),:;]{1,64}@[^\s<>"(),:;]{1,255}/g) ?? [])]
          .map((address) => address.toLowerCase())
          .slice(0, 100),
        action: isDelay ? 'delayed' : 'failed',
        status,
        diagnostic: diagnostic.replace(/\s+/g, ' ').slice(0, 500),
      },
    ],
    envelopeId: '',
    returnPath: '',
    messageId:
      /^message-id:\s*<([^<>\s]{1,900})>/im.exec(copy)?.[1] ??
      decodeFieldText(getFirstValue(returnedFields, 'message-id')).replace(/^<|>$/g, ''),
  };
}

/** Returns the line after the recipient, in which Exim gives its own reason without a code. */
function findLineAfter(report: string, recipient: string): string {
  const lines = report.split(/\r?\n/).map((line) => line.trim());
  const index =
    recipient === '' ? -1 : lines.findIndex((line) => line.toLowerCase() === recipient.toLowerCase());
  return index < 0 ? '' : (lines[index + 1] ?? '');
}

/** People never send as `mailer-daemon`, but may have an automatic reply or a read receipt as `postmaster`. */
function isFromServer(mail: ParsedMail): boolean {
  const isFrom = (name: RegExp) => mail.from.some(({ address }) => name.test(address));
  return (
    isFrom(/^mailer-daemon(?:@|$)/i) ||
    (isFrom(/^postmaster(?:@|$)/i) &&
      !mail.headers.some(isAutoReplyField) &&
      !mail.parts.some(({ type }) => type === 'message/disposition-notification'))
  );
}

/** Recognizes fields of automatic replies on behalf of a person (RFC 3834 and common practice). */
const isAutoReplyField = ({ name, value }: ParsedMail['headers'][number]): boolean =>
  name === 'x-autoreply' ||
  name === 'x-autorespond' ||
  (name === 'auto-submitted' && /^auto-replied\b/i.test(value)) ||
  (name === 'precedence' && /^auto[-_]reply\b/i.test(value));

const ENHANCED_CODE = String.raw`(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)`;
const REPLY_CODE = String.raw`\b[45][0-5]\d[ -]`;
/** Further lines of a multi-line reply, whose last line may name the reason. */
const MORE_LINES = String.raw`(?:\r?\n[ \t]*${REPLY_CODE}.*){0,20}`;
const EXACT_LINE = new RegExp(`^.*${ENHANCED_CODE}.*$${MORE_LINES}`, 'm');
const REPLY_LINE = new RegExp(`^.*${REPLY_CODE}.*$${MORE_LINES}`, 'm');

const DELAY_TEXT =
  /\b(?:delayed|not yet been delivered|still being retried|will (?:be retried|keep trying))\b/i;

function findStatus(diagnostic: string): string {
  const exact = new RegExp(ENHANCED_CODE).exec(diagnostic)?.[0];
  if (exact) return exact;
  const reply = /\b([45])[0-5]\d\b/.exec(diagnostic)?.[1];
  return reply ? `${reply}.0.0` : '';
}
