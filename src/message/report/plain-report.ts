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
  if (sender !== '' || isAutoReply(mail)) return null;
  const failedHeaders = mail.headers.filter(({ name }) => name === 'x-failed-recipients');
  const isOfServer = mail.from.some(({ address }) => /^(?:mailer-daemon|postmaster)(?:@|$)/i.test(address));
  if (failedHeaders.length === 0 && !isOfServer) return null;
  const index = mail.text.search(RETURNED_COPY);
  const report = (index < 0 ? mail.text : mail.text.slice(0, index)).slice(0, 20_000);
  const copy = index < 0 ? '' : mail.text.slice(index);
  const diagnostic = DIAGNOSTIC_LINE.exec(report)?.[0]?.trim() ?? '';
  const status = findStatus(diagnostic);
  const isDelay = DELAY_TEXT.test(mail.subject) || DELAY_TEXT.test(report);
  if (status === '' && !isDelay && failedHeaders.length === 0) return null;
  const recipients = failedHeaders.flatMap(({ value }) =>
    parseAddresses(value).map(({ address }) => address),
  );
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

/** Recognizes an automatic reply on behalf of a person (RFC 3834). Like a bounce, it may have a null sender. */
const isAutoReply = ({ headers }: ParsedMail): boolean =>
  headers.some(({ name, value }) => name === 'auto-submitted' && /^auto-replied\b/i.test(value)) &&
  !headers.some(({ name }) => name === 'x-failed-recipients');

const DIAGNOSTIC_LINE = /^.*(?:\b[45]\.\d{1,3}\.\d{1,3}\b|\b[45][0-5]\d[ -]).*$/m;

const DELAY_TEXT =
  /\b(?:delayed|not yet been delivered|still being retried|will (?:be retried|keep trying))\b/i;

function findStatus(diagnostic: string): string {
  const exact = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(diagnostic)?.[1];
  if (exact) return exact;
  const reply = /\b([45])[0-5]\d\b/.exec(diagnostic)?.[1];
  return reply ? `${reply}.0.0` : '';
}
