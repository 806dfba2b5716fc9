import { expect, it } from 'vitest';
import { htmlToText, textToHtml } from './signature.ts';

it.each([
  ['', ''],
  ['<p>--<br>Ann &amp; Bob</p>', '--\nAnn & Bob'],
  ['<div>Ann</div><div><b>Sales</b></div>', 'Ann\nSales'],
  ['<p>1 &lt; 2 &#39;x&#x27; &euro;</p>', "1 < 2 'x' &euro;"],
])('converts %j to the text %j', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

it('round-trips plain text through HTML', () => {
  const text = 'Ann <Lee> & Co.\nSales';
  expect(htmlToText(textToHtml(text))).toBe(text);
});
