import { expect, test } from 'vitest';
import { createMessages } from '../../schema/email/campaigns/message.ts';
import { hasUnsubscribeVariable } from '../../schema/email/editor/variables.ts';
import { parseSesEvent } from '../../schema/email/provider/ses-event.ts';
import { compileTemplateText, fillHtml } from '../../schema/email/templates/compile.ts';
import { classifySmtpError } from '../../src/email/classify-smtp.ts';
import { insertIntoHead } from '../../src/http/insert-into-head.ts';
import { extractAddress, parseAddress, splitAddresses } from '../../src/message/address.ts';
import { buildMimeMessage } from '../../src/message/compose.ts';
import { findHeaderFault } from '../../src/message/custom-header.ts';
import { convertHtmlToText } from '../../src/message/html-text.ts';
import { classifyBounce } from '../../src/message/report/report.ts';
import { toSingleLine } from '../../src/single-line.ts';
import { getCpuTime } from '../harness/cpu.ts';

// The event loop parses text written by senders: doubling the input may double the time, but not quadruple it.

const SIZE = 32 * 1024;
/** Milliseconds below which timer resolution and garbage collection dominate. */
const NOISE = 10;

const buildCampaign = (html: string) => ({
  ...{ workspace_id: 1, public_id: 'c', from: 'a@b.example', book_id: 1, subject: html, html },
  ...{ preview_text: 'Preview', variables: ['plan'] },
});
const buildMessages = (html: string) =>
  createMessages(buildCampaign(html), {
    publicUrl: 'https://x.example',
    secretKey: 'k'.repeat(32),
    mailTransport: 'smtp',
  });
const contact = {
  public_id: 'p',
  email: 'a@b.example',
  first_name: 'A',
  last_name: 'B',
  properties: { plan: '<x>' },
};
const email = {
  ...{ emailId: 'e', messageId: 'e@b.example', date: new Date(0), from: 'a@b.example', to: ['c@d.example'] },
  ...{ cc: [], replyTo: [], subject: 's', text: null, html: null, headers: {}, attachments: [] },
  ...{ inReplyTo: null, references: [] },
};
const buildBounce = (text: string) => ({
  eventType: 'Bounce',
  mail: { messageId: 'm' },
  bounce: {
    ...{ bounceType: 'Permanent', bounceSubType: 'General' },
    bouncedRecipients: [{ emailAddress: text, status: text, diagnosticCode: text }],
  },
});

const PARSERS: [string, (text: string) => unknown][] = [
  ['an address', parseAddress],
  ['a bare address', extractAddress],
  ['a list of addresses', splitAddresses],
  ['a header', (text) => findHeaderFault('X-A', text)],
  ['a line', toSingleLine],
  ['text from HTML', convertHtmlToText],
  ['an HTML message', (html) => buildMimeMessage({ ...email, html })],
  ['a text message', (text) => buildMimeMessage({ ...email, text })],
  ['a template', (text) => fillHtml(compileTemplateText('html', text, []), { a: 'v' }, {})],
  ['a campaign', (html) => buildMessages(html)(contact)],
  ['the placeholder of the unsubscribe link', hasUnsubscribeVariable],
  ['a document', (html) => insertIntoHead(html, '<base>')],
  ['an SES event', parseSesEvent],
  ['an SES bounce', (text) => parseSesEvent(JSON.stringify(buildBounce(text)))],
  ['a diagnostic', (text) => classifyBounce({ status: text, diagnostic: text })],
  [
    'a relay response',
    (text) =>
      classifySmtpError({ responseCode: 550, response: `550 5.1.1 <${text}`, command: 'RCPT TO' }, false),
  ],
];

const SHAPES = [
  ...['<', '</', '<a ', '<a href="', '<!--', '<![CDATA[', '<p>', '<table><tr><td>', '<style>', '<head '],
  ...['<div style="display:none">', '&', '&amp;', '&#x1f600;', '{{', '{{{', '{{a}}', '{{!', '{{a,fallback='],
  ...['a@b.example, ', '"', '\\"', '(', ' ', '\t', '\n', '\r\n', '=', '😀', '[[', '{"a":', '550 5.1.1 '],
];

/** Returns the CPU time in milliseconds. Rejected input is measured as well. */
function getTime(parse: (text: string) => unknown, text: string): number {
  const startTime = getCpuTime();
  try {
    parse(text);
  } catch {
    // An error is a valid outcome.
  }
  return getCpuTime() - startTime;
}

/**
 * Returns the factor by which the time grows for twice the text: 2 if linear, 4 if quadratic. Uses the best of ten
 * attempts, because real slowness repeats.
 */
function getGrowth(parse: (text: string) => unknown, shape: string, end: string): number {
  const buildText = (size: number) => shape.repeat(size / shape.length) + end;
  let fastest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && fastest >= 3.5; tries++) {
    const twice = getTime(parse, buildText(2 * SIZE));
    fastest = Math.min(fastest, twice < NOISE ? 1 : twice / getTime(parse, buildText(SIZE)));
  }
  return fastest;
}

test.each(PARSERS)('needs less than 3.5 times as long for twice the input: %s', (_, parse) => {
  for (const shape of SHAPES)
    for (const end of ['', '>', 'x'])
      expect(getGrowth(parse, shape, end), JSON.stringify([shape, end])).toBeLessThan(3.5);
});
