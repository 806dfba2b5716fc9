import { expect, test } from 'vitest';
import { htmlToText } from '../../src/mail/html-text.ts';
import { cpuTime } from '../harness/cpu.ts';

test.each([
  ['paragraphs and line breaks', '<p>One\n  two</p><p>three<br>four</p>', 'One two\n\nthree\nfour'],
  ['headings', '<h1>Title</h1>text', 'Title\n\ntext'],
  ['inline marks', 'a <b>bold</b>, <i>it</i>alic', 'a bold, italic'],
  ['lists', '<ul><li>a</li><li>b</li></ul><ol><li>x</li><li>y</li></ol>', '- a\n- b\n\n1. x\n2. y'],
  ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['links', '<a href="https://e.x/?a=1&amp;b=2">here</a>', 'here (https://e.x/?a=1&b=2)'],
  ['links that say where they lead', '<a href="https://e.x">https://e.x</a>', 'https://e.x'],
  ['mail addresses', '<a href="mailto:a@e.x">a@e.x</a> <a href="mailto:b@e.x">Bo</a>', 'a@e.x Bo (b@e.x)'],
  ['links that lead nowhere', '<a href="#top">up</a> <a href="javascript:x()">js</a>', 'up js'],
  ['images', '<img src="x.png" alt="Our logo"><img src="y.png">', 'Our logo'],
  ['tables', '<table><tr><td>A</td><td>B</td></tr><tr><td>C</td></tr></table>', 'A B\nC'],
  ['entities', '&lt;a&gt; &amp; &#8364; &#x1F600; &nbsp;&unknown; &amp;lt;', '<a> & € 😀 &unknown; &lt;'],
  ['entities of the whole table', '&hearts;&NotEqualTilde;&Aacute;&shy;&zwj;', '♥≂̸Á'],
  ['preformatted text', '<pre>  a\n    b</pre>', 'a\n    b'],
  [
    'what is not shown',
    '<head><title>T</title></head><style>p{}</style><script>1<2</script><!-- c -->x',
    'x',
  ],
  ['rules', 'a<hr>b', 'a\n\n--------------------\n\nb'],
  ['signs that are no tags', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['a > in quotes', '<a href="https://e.x/?a>b" title=\'>\'>x</a>y', 'x (https://e.x/?a>b)y'],
  ['what is not closed', '<p>a<div>b<a href="https://e.x">c', 'a\nbc (https://e.x)'],
  ['a comment that does not end', 'a<!-- b', 'a'],
  ['nothing', '', ''],
  ['many breaks', 'a<br><br><br><br>b', 'a\n\nb'],
])('%s', (_case, html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test.each([
  ['open signs', '<'.repeat(1_000_000)],
  ['open quotes', '<a href="'.repeat(200_000)],
  ['open links', '<a href=https://x>'.repeat(50_000) + 'word</a>'.repeat(50_000)],
  ['closing tags that do not close', `<style>${'</style'.repeat(200_000)}`],
  ['attributes', `<a ${' href '.repeat(200_000)}>x</a>`],
  ['words', 'word <b>x</b> '.repeat(200_000)],
  ['white space', `${`${' '.repeat(100)}\t<br>`.repeat(20_000)}`],
  ['open elements, closed by others', '<b>'.repeat(200_000) + '</i>'.repeat(200_000)],
  ['elements that are not shown, in each other', '<svg>'.repeat(200_000)],
  ['attributes of many names', `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')}>x</a>`],
  ['broken entities', '&CounterClockwiseContourIntegra'.repeat(30_000)],
  ['open comments', '<!--'.repeat(300_000)],
  ['ampersands', '&'.repeat(1_000_000)],
])('a large text of %s takes a moment only', (_case, html) => {
  const started = cpuTime();
  htmlToText(html);
  expect(cpuTime() - started).toBeLessThan(20_000);
});
