import { expect, test } from 'vitest';
import { insertSignature } from '../../src/message/signature.ts';

const SIGNATURE = '<p>Ann <b>Lee</b></p>';

const signText = (text: string, placement: 'above_quote' | 'below_quote' = 'above_quote') =>
  insertSignature({ text, html: null }, SIGNATURE, placement).text;
const signHtml = (html: string, placement: 'above_quote' | 'below_quote' = 'above_quote') =>
  insertSignature({ text: '', html }, SIGNATURE, placement).html;

test.each([
  ['a text without a quote', 'Hello', 'Hello\n\n-- \nAnn Lee\n'],
  [
    'a quote with the line that introduces it',
    'Yes.\n\nOn 3 March 2026, Bob wrote:\n> Shall we?\n',
    'Yes.\n\n-- \nAnn Lee\n\nOn 3 March 2026, Bob wrote:\n> Shall we?\n',
  ],
  [
    'a copied header',
    'Yes.\n\n-----Original Message-----\nFrom: Bob\nShall we?',
    'Yes.\n\n-- \nAnn Lee\n\n-----Original Message-----\nFrom: Bob\nShall we?',
  ],
  ['replies between quotes', '> One?\nYes.\n> Two?\nNo.', '> One?\nYes.\n> Two?\nNo.\n\n-- \nAnn Lee\n'],
  ['a text that already has the signature', 'Yes.\n\nAnn Lee', 'Yes.\n\nAnn Lee'],
  [
    'a text that already has the signature, above a quote with it',
    'Yes.\n\nAnn Lee\n\n> No.\n> Ann Lee',
    'Yes.\n\nAnn Lee\n\n> No.\n> Ann Lee',
  ],
  [
    'a reply to a message with the signature',
    'Yes.\n\n> Shall we?\n> Ann Lee',
    'Yes.\n\n-- \nAnn Lee\n\n> Shall we?\n> Ann Lee',
  ],
  [
    'a reply below a message with the signature',
    '> Shall we?\n> Ann Lee\nYes.',
    '> Shall we?\n> Ann Lee\nYes.\n\n-- \nAnn Lee\n',
  ],
])("inserts the signature after the author's text in %s", (_name, text, signed) => {
  expect(signText(text)).toBe(signed);
});

test('below_quote appends the signature to text once', () => {
  const signed = 'Yes.\n\n> Shall we?\n> Ann Lee\n\n-- \nAnn Lee\n';
  expect(signText('Yes.\n\n> Shall we?\n> Ann Lee', 'below_quote')).toBe(signed);
  expect(signText(signed, 'below_quote')).toBe(signed);
});

const BLOCK = `<div class="signature">-- <br />${SIGNATURE}</div>`;

test.each([
  ['without a quote', '<p>Hello</p>', `<p>Hello</p>${BLOCK}`],
  [
    'with a quote and its introduction',
    '<p>Yes.</p><p>On Monday, Bob wrote:</p><blockquote><p>Shall we?</p></blockquote>',
    `<p>Yes.</p>${BLOCK}<p>On Monday, Bob wrote:</p><blockquote><p>Shall we?</p></blockquote>`,
  ],
  [
    'with a nested quote',
    '<p>Yes.</p><blockquote>a<blockquote>b</blockquote></blockquote><br>',
    `<p>Yes.</p>${BLOCK}<blockquote>a<blockquote>b</blockquote></blockquote><br>`,
  ],
  [
    'with a wrapped quote',
    '<p>Yes.</p><div class="gmail_quote">On …:<blockquote>a</blockquote></div>',
    `<p>Yes.</p>${BLOCK}<div class="gmail_quote">On …:<blockquote>a</blockquote></div>`,
  ],
  [
    'with a reply below the quote',
    '<blockquote>a</blockquote><p>Yes.</p>',
    `<blockquote>a</blockquote><p>Yes.</p>${BLOCK}`,
  ],
  [
    'with a quote that has the signature',
    `<p>Yes.</p><blockquote>a${SIGNATURE}</blockquote>`,
    `<p>Yes.</p>${BLOCK}<blockquote>a${SIGNATURE}</blockquote>`,
  ],
  [
    'with a reply below a quote that has the signature',
    `<blockquote>a${SIGNATURE}</blockquote><p>Yes.</p>`,
    `<blockquote>a${SIGNATURE}</blockquote><p>Yes.</p>${BLOCK}`,
  ],
  ['that already has the signature', `<p>a</p>${SIGNATURE}<p>b</p>`, `<p>a</p>${SIGNATURE}<p>b</p>`],
])("inserts the signature after the author's text in HTML %s", (_name, html, signed) => {
  expect(signHtml(html)).toBe(signed);
});

test('below_quote appends the signature to HTML once', () => {
  const html = `<p>Yes.</p><blockquote>a${SIGNATURE}</blockquote>`;
  expect(signHtml(html, 'below_quote')).toBe(`${html}${BLOCK}`);
  expect(signHtml(`${html}${BLOCK}`, 'below_quote')).toBe(`${html}${BLOCK}`);
});

test('adds the signature to the text alternative of HTML, and nothing if the signature is empty', () => {
  const bodies = insertSignature({ text: 'x', html: '<p>Hello</p>' }, SIGNATURE, 'below_quote');
  expect(bodies.text).toBe('Hello\n\n--\n\nAnn Lee');
  expect(insertSignature({ text: 'x', html: null }, '<p> </p>', 'above_quote')).toEqual({
    text: 'x',
    html: null,
  });
});

test('signs HTML with 30,000 unclosed tags', () => {
  const html = `${'<blockquote>'.repeat(20_000)}${'<div class="'.repeat(10_000)}`;
  expect(signHtml(html)).toContain('Ann');
});
