import { expect, it } from 'vitest';
import { bodyToHtml, buildQuote, buildReplyHead, splitQuote, textToHtml } from './reply.ts';

const ann = { name: 'Ann', email: 'ann@b.org' };
const me = { name: 'Me', email: 'Me@b.org' };
const bob = { name: '', email: 'bob@b.org' };
const message = {
  subject: 'Minutes',
  fromName: 'Ann',
  fromEmail: 'ann@b.org',
  to: [me, bob],
  cc: [ann],
  replyTo: [],
};
const ownAddresses = new Set(['me@b.org']);

it.each([
  ['reply', message, ['Ann <ann@b.org>'], [], 'Re: Minutes'],
  ['reply_all', message, ['Ann <ann@b.org>', 'bob@b.org'], [], 'Re: Minutes'],
  ['reply', { ...message, replyTo: [bob] }, ['bob@b.org'], [], 'Re: Minutes'],
  ['reply', { ...message, fromEmail: 'me@b.org', to: [bob] }, ['bob@b.org'], [], 'Re: Minutes'],
  ['reply_all', { ...message, to: [me], cc: [bob] }, ['Ann <ann@b.org>'], ['bob@b.org'], 'Re: Minutes'],
  ['reply', { ...message, subject: 'AW: Minutes' }, ['Ann <ann@b.org>'], [], 'AW: Minutes'],
  ['forward', message, [], [], 'Fwd: Minutes'],
] as const)('computes the recipients and subject of %s (%#)', (mode, original, to, cc, subject) => {
  expect(
    buildReplyHead(mode, { ...original, to: [...original.to], cc: [...original.cc] } as never, ownAddresses),
  ).toEqual({
    to,
    cc,
    subject,
  });
});

it('splits a body into written text and quote, without changing either', () => {
  const quote = buildQuote('On Monday Ann wrote:', '<p style="color:red">Hi</p>');
  expect(splitQuote(`<div>Dear Ann</div>${quote}`)).toEqual({ content: '<div>Dear Ann</div>', quote });
  expect(splitQuote('<p>Hi</p>')).toEqual({ content: '<p>Hi</p>', quote: '' });
});

it('converts text to HTML, and keeps HTML', () => {
  expect(textToHtml('a < b\n& c')).toBe('a &#60; b<br>&#38; c');
  expect(bodyToHtml('<p>x</p>')).toBe('<p>x</p>');
  expect(bodyToHtml('2 > 1')).toBe('2 &#62; 1');
});
