import { describe, expect, it, test } from 'vitest';
import { buildAutoReply } from '../../../src/message/auto-reply/auto-reply.ts';
import type { AutoReplySettings } from '../../../src/message/auto-reply/settings.ts';
import { decideAutoReply, type MessageArrival } from '../../../src/message/auto-reply/should-reply.ts';
import { buildPlaceholder, parseMail } from '../../../src/message/parse/message.ts';
import { buildRawMail } from '../parse/raw-text.ts';

const settings: AutoReplySettings = {
  active: true,
  subject: '',
  body: 'I am away.',
  from: '',
  until: '',
  tz: 'Europe/Berlin',
};
const now = new Date('2026-07-10T12:00:00Z');
const arrival: MessageArrival = { sender: 'ann@x.y', isLive: true, isSpam: false };
const addresses = ['bob@b.c', 'Robert@b.c'];

const buildMail = (fields: string[] = [], to = 'To: bob@b.c') =>
  parseMail(
    buildRawMail('From: Ann <ann@x.y>', to, 'Subject: Hi', 'Message-ID: <1@x.y>', ...fields, '', 'Hello'),
  );

const decideReply = async (fields: string[] = [], rest: Partial<MessageArrival> = {}, to?: string) =>
  decideAutoReply(await buildMail(fields, to), { ...arrival, ...rest }, addresses, settings, now);

describe('auto-reply decision', () => {
  test.each<[string, string[]]>([
    ['a message', []],
    ['a message marked as sent by a person', ['Auto-Submitted: no']],
    ['a message marked as sent by a person, with a comment', ['Auto-Submitted: No (really)']],
    ['a message that declines receipts', ['X-Auto-Response-Suppress: DR, RN']],
    ['a message with another precedence', ['Precedence: first-class']],
    ['a trusted message', ['X-Spam-Flag: NO']],
    ['a message with 25 hops', Array(25).fill('Received: from a by b')],
  ])('replies to %s', async (_, fields) => {
    expect(await decideReply(fields)).toEqual({ to: 'ann@x.y' });
  });

  it.each([
    'To: Bob <BOB@b.c>',
    'Cc: robert@b.c',
    'To: x@y.z\r\nResent-To: bob@b.c',
    'To: bob+news@b.c',
    'Bcc: bob@b.c',
    'To: bob@b.c\r\nX-Spam-Flag: YES',
  ])('replies to a message addressed by %j', async (to) => {
    expect(await decideReply([], {}, to)).toEqual({ to: 'ann@x.y' });
  });

  it.each([
    ['SRS0=abcd=XY=x.y=ann@forwarder.example', 'ann@x.y'],
    ['srs0+AbC1=QQ=X.Y=Ann@forwarder.example', 'ann@x.y'],
    ['SRS1=abcd=first.example==efgh=XY=x.y=ann@forwarder.example', 'ann@x.y'],
    ['SRS0=abcd=XY=other.example=ann@forwarder.example', null],
    ['SRS0=ann@forwarder.example', null],
  ])('replies to the original sender if forwarding rewrote the address to %s', async (sender, to) => {
    expect(await decideReply([], { sender })).toEqual({ to: to ?? sender });
  });

  it('replies to the envelope sender, not to the address in From', async () => {
    expect(await decideReply([], { sender: 'Real@X.y' })).toEqual({ to: 'Real@x.y' });
  });
});

describe('auto-reply suppression', () => {
  test.each<[string, string[], string]>([
    ['an automatic message', ['Auto-Submitted: auto-generated'], 'automatic'],
    ['another auto-reply', ['Auto-Submitted: auto-replied (vacation)'], 'automatic'],
    ['our own auto-reply', ['X-Atrium-Auto: vacation'], 'automatic'],
    ['an auto-reply of old software', ['X-Autoreply: yes'], 'automatic'],
    ['bulk mail', ['Precedence: bulk'], 'bulk'],
    ['junk', ['Precedence: Junk'], 'bulk'],
    ['list mail by its precedence', ['Precedence: list'], 'bulk'],
    ['list mail', ['List-Id: <a.b>'], 'list'],
    ['mail with an unsubscribe header', ['List-Unsubscribe: <https://a.b>'], 'list'],
    ['a sender that declines auto-replies', ['X-Auto-Response-Suppress: OOF'], 'suppressed'],
    ['a sender that declines all responses', ['X-Auto-Response-Suppress: DR, All'], 'suppressed'],
    ['a message that declines auto-replies', ['X-Auto-Response-Suppress: rn;autoreply'], 'suppressed'],
    ['a report', ['Content-Type: multipart/report; boundary=x', '', '--x', '', 'a', '--x--'], 'report'],
    ['a mail loop', Array(26).fill('Received: from a by b'), 'too_many_hops'],
  ])('does not reply to %s', async (_, fields, reason) => {
    expect(await decideReply(fields)).toEqual({ reason });
  });

  test.each<[string, Partial<MessageArrival>, string]>([
    ['the null sender', { sender: '' }, 'no_sender'],
    ['an invalid sender', { sender: 'x' }, 'no_sender'],
    ['one of our addresses', { sender: 'ROBERT@b.c' }, 'own_sender'],
    ['one of our addresses with a tag', { sender: 'bob+x@b.c' }, 'own_sender'],
    ['imported mail', { isLive: false }, 'not_live'],
    ['mail in Spam', { isSpam: true }, 'spam'],
    ['a sender who may be forged', { isUnverified: true }, 'unverified'],
  ])('does not reply to %s', async (_, rest, reason) => {
    expect(await decideReply([], rest)).toEqual({ reason });
  });

  it.each([
    ...['MAILER-DAEMON@x.y', 'postmaster@x.y', 'owner-list@x.y', 'list-request@x.y', 'list-owner@x.y'],
    ...['majordomo@x.y', 'listserv@x.y', 'noreply@x.y', 'no-reply@x.y', 'do-not-reply@x.y', 'donotreply@x.y'],
    ...['bounces+123=a@x.y', 'bounce-7@x.y', 'news-noreply@x.y', 'noreply+1@x.y'],
  ])('does not reply to the automatic sender %s', async (sender) => {
    expect(await decideReply([], { sender })).toEqual({ reason: 'robot' });
  });

  it.each(['brownout@x.y', 'ownersclub@x.y', 'requests@x.y', 'monorail@x.y', 'snoreply@x.y'])(
    'replies to %s, which only resembles an automatic sender',
    async (sender) => {
      expect(await decideReply([], { sender })).toEqual({ to: sender });
    },
  );

  it('does not reply if only From names an automatic sender', async () => {
    const mail = await parseMail(buildRawMail('From: noreply@x.y', 'To: bob@b.c', '', 'x'));
    expect(decideAutoReply(mail, { ...arrival, sender: 'b123@x.y' }, addresses, settings, now)).toEqual({
      reason: 'robot',
    });
  });

  it('does not reply to mail that is not addressed to the owner', async () => {
    expect(await decideReply([], {}, 'To: all@b.c')).toEqual({ reason: 'not_addressed' });
    expect(await decideReply([], {}, 'To: undisclosed-recipients:;')).toEqual({ reason: 'not_addressed' });
  });

  it('does not reply to an unreadable message', async () => {
    const { header, parts, size, truncated } = {
      header: Buffer.from('To: bob@b.c\n'),
      parts: [],
      size: 0,
      truncated: false,
    };
    const mail = buildPlaceholder({ header, parts, size, truncated });
    expect(decideAutoReply(mail, arrival, addresses, settings, now)).toEqual({ reason: 'unreadable' });
  });

  it('does not reply while auto-replies are off', async () => {
    expect(
      decideAutoReply(await buildMail(), arrival, addresses, { ...settings, active: false }, now),
    ).toEqual({
      reason: 'off',
    });
  });
});

test.each<[string, Partial<AutoReplySettings>, string, boolean]>([
  ['before the first day', { from: '2026-07-11' }, '2026-07-10T21:59:59Z', false],
  ['when the first day begins in the time zone', { from: '2026-07-11' }, '2026-07-10T22:00:00Z', true],
  ['when the last day ends in the time zone', { until: '2026-07-10' }, '2026-07-10T21:59:59Z', true],
  ['after the last day', { until: '2026-07-10' }, '2026-07-10T22:00:00Z', false],
  ['one day', { from: '2026-07-10', until: '2026-07-10' }, '2026-07-10T12:00:00Z', true],
  ['west of Greenwich', { from: '2026-07-11', tz: 'America/Los_Angeles' }, '2026-07-11T06:59:59Z', false],
  ['an invalid time zone', { from: '2026-07-11', tz: 'Mars/Base' }, '2026-07-11T00:00:00Z', true],
  ['without days', {}, '2026-07-10T12:00:00Z', true],
])('checks the configured days: %s', async (_, days, time, expected) => {
  const decision = decideAutoReply(
    await buildMail(),
    arrival,
    addresses,
    { ...settings, ...days },
    new Date(time),
  );
  expect(decision).toEqual(expected ? { to: 'ann@x.y' } : { reason: 'not_today' });
});

describe('auto-reply message', () => {
  it('continues the conversation, and has headers that suppress other auto-replies', async () => {
    const mail = await buildMail(['References: <a@x.y> <b@x.y>']);
    expect(buildAutoReply(mail, settings)).toEqual({
      subject: 'Auto: Hi',
      text: 'I am away.',
      headers: {
        'Auto-Submitted': 'auto-replied (vacation)',
        Precedence: 'bulk',
        'X-Auto-Response-Suppress': 'All',
        'X-Atrium-Auto': 'vacation',
        'In-Reply-To': '<1@x.y>',
        References: '<a@x.y> <b@x.y> <1@x.y>',
      },
    });
  });

  it('has the configured subject, limited to one line', async () => {
    const mail = await buildMail();
    expect(buildAutoReply(mail, { ...settings, subject: 'Away\r\nBcc: x@y.z' }).subject).toBe(
      'Away Bcc: x@y.z',
    );
    expect(buildAutoReply({ ...mail, subject: 'x'.repeat(400) }, settings).subject).toHaveLength(150);
  });

  it('rejects message ids that could inject a header', async () => {
    const mail = { ...(await buildMail()), messageId: 'a\r\nBcc: x@y.z', references: ['a b', 'ok@x.y'] };
    expect(buildAutoReply(mail, settings).headers).not.toHaveProperty('References');
    expect(buildAutoReply({ ...mail, messageId: '1@x.y' }, settings).headers.References).toBe(
      '<ok@x.y> <1@x.y>',
    );
  });

  it('references at most 20 messages', async () => {
    const references = Array.from({ length: 100 }, (_, no) => `${no}@x.y`);
    const { References } = buildAutoReply({ ...(await buildMail()), references }, settings).headers;
    expect(References!.split(' ')).toHaveLength(20);
  });

  it('does not trigger another auto-reply', async () => {
    const { subject, text, headers } = buildAutoReply(await buildMail(), settings);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const returnedMail = await parseMail(
      buildRawMail('From: bob@b.c', 'To: ann@x.y', `Subject: ${subject}`, ...lines, '', text),
    );
    const decision = decideAutoReply(
      returnedMail,
      { ...arrival, sender: 'bob@b.c' },
      ['ann@x.y'],
      settings,
      now,
    );
    expect(decision).toEqual({ reason: 'automatic' });
  });
});
