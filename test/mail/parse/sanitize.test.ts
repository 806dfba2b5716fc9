import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it, test } from 'vitest';
import { safeStyle } from '../../../src/mail/parse/safe-style.ts';
import { displayHtml } from '../../../src/mail/parse/sanitize.ts';
import { cpuTime } from '../../harness/cpu.ts';
import { VECTORS } from './vectors.ts';

const cid = (id: string): string | null => (id === 'none' ? null : `/files/${encodeURIComponent(id)}`);
const itself = (address: string): string => address;
const shown = (html: string, remoteImages = false) =>
  displayHtml(html, { cid, remoteImage: remoteImages ? itself : () => null });

test.each([
  ['the hidden attribute', '<p hidden>x</p>'],
  ['a place beyond the page', '<p style="position:absolute;left:-9999px;color:red">x</p>'],
  ['a clip', '<p style="clip-path:inset(100%)">x</p>'],
  ['an escaped style', '<p style="display:n\\6fne">x</p>'],
])('an element that is hidden by %s stays hidden', (_, html) => {
  expect(shown(html).html).toBe('<p style="display:none">x</p>');
});

describe('what stays', () => {
  test.each([
    [
      'structure',
      '<h1>A</h1><p>b <b>c</b></p><ul><li>d</li></ul>',
      '<h1>A</h1><p>b <b>c</b></p><ul><li>d</li></ul>',
    ],
    [
      'tables',
      '<table width="600"><tr><td colspan="2" bgcolor="#fff">x</td></tr></table>',
      '<table width="600"><tr><td colspan="2" bgcolor="#fff">x</td></tr></table>',
    ],
    [
      'inline style',
      '<p style="color: red; FONT-SIZE:12px">x</p>',
      '<p style="color:red;font-size:12px">x</p>',
    ],
    [
      'a document',
      '<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><p>x</body></html>',
      '<p>x</p>',
    ],
    ['text', 'a &lt; b &amp; c', 'a &lt; b &amp; c'],
    [
      'images in the HTML itself',
      '<img src="data:image/png;base64,aGk=" alt="a">',
      '<img alt="a" src="data:image/png;base64,aGk=" />',
    ],
  ])('%s', (_, given, wanted) => {
    expect(shown(given).html).toBe(wanted);
  });

  it('links open elsewhere and give no referrer', () => {
    const rest = 'target="_blank" rel="noopener noreferrer nofollow"';
    expect(shown('<a href=" https://a.b/c d?e=1&amp;f " target="_top" rel="opener">x</a>').html).toBe(
      `<a href="https://a.b/c%20d?e=1&amp;f" ${rest}>x</a>`,
    );
    expect(shown('<a href="mailto:a@b.c">x</a>').html).toBe(`<a href="mailto:a@b.c" ${rest}>x</a>`);
  });

  it('links within our own pages are none', () => {
    for (const href of ['/logout', 'x', '#top', '?a', '//a.b', 'ftp://a.b', '\\\\a\\b'])
      expect(shown(`<a href="${href}">x</a>`).html).toBe('<a>x</a>');
  });
});

describe('images', () => {
  it('files of the message have the address they are given', () => {
    expect(shown('<img src="cid:a%40b">')).toMatchObject({
      html: '<img src="/files/a%40b" />',
      remoteImages: false,
    });
    expect(shown('<img src="cid:none" alt="x">').html).toBe('<img alt="x" />');
    expect(shown('<img src="cid:%zz">').html).toBe('<img src="/files/%25zz" />');
  });

  test.each([
    [
      'an image',
      '<img src="https://t.x/p.gif" width="1">',
      '<img width="1" />',
      '<img width="1" src="https://t.x/p.gif" />',
    ],
    ['without a protocol', '<img src="//t.x/p">', '<img />', '<img src="https://t.x/p" />'],
    [
      'its other sizes',
      '<img srcset="https://t.x/p 2x" src="http://t.x/q">',
      '<img />',
      '<img src="http://t.x/q" />',
    ],
    [
      'a background in a style',
      '<p style="color:red;background:url(\'https://t.x/p\')">x</p>',
      '<p style="color:red">x</p>',
      '<p style="color:red;background:url(\'https://t.x/p\')">x</p>',
    ],
    ['a background attribute', '<td background="https://t.x/p">x</td>', '<td>x</td>', '<td>x</td>'],
  ])('of other servers are shown only when asked for: %s', (_, given, hidden, asked) => {
    expect(shown(given)).toMatchObject({ html: hidden, remoteImages: true });
    expect(shown(given, true)).toMatchObject({ html: asked, remoteImages: true });
  });

  it('of our own server are not shown', () => {
    for (const src of [
      '/web/logout',
      'x.png',
      '?a',
      'file:///etc/passwd',
      'data:image/svg+xml;base64,PHN2Zz4=',
    ])
      expect(shown(`<img src="${src}">`, true)).toMatchObject({ html: '<img />', remoteImages: false });
  });
});

describe('styles', () => {
  test.each([
    'position:fixed;top:0',
    'width:expression(alert(1))',
    'width:exp/**/ression(alert(1))',
    'wid\\74h:1px',
    'color:\\65xpression(alert(1))',
    'behavior:url(x.htc)',
    '-moz-binding:url(https://t.x/x.xml#a)',
    'background:url(javascript:alert(1))',
    'background:url("https://t.x/a\\"b")',
    'background:image-set("https://t.x/a" 1x)',
    'background:var(--a)',
    'background-image:url(data:image/svg+xml;base64,PHN2Zz4=)',
    '@import "https://t.x"',
    'color:red}p{color:blue',
    'margin-top:-1000px',
    'margin:calc(0px - 100px)',
    'cursor:url(https://t.x/c)',
    'z-index:9',
    'color',
    ':red',
  ])('%s is left out', (style) => {
    expect(safeStyle(style, itself).style).not.toMatch(
      /position|fixed|expression|url|import|-\d|image-set|var|z-index|\}|^color$|- /,
    );
  });

  it('what stands beside it stays', () => {
    expect(safeStyle('color:red;position:fixed;font-family:"A;B", serif', () => null)).toEqual({
      style: 'color:red;font-family:"A;B", serif',
      isRemote: false,
    });
  });
});

const ALLOWED_TAG =
  /^(?:a|abbr|address|article|aside|b|bdi|bdo|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|mark|ol|p|pre|q|s|samp|section|small|span|strike|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)$/;
const ALLOWED_ATTRIBUTE =
  /^(?:style|title|dir|lang|align|href|rel|target|src|alt|width|height|border|hspace|vspace|color|face|size|cellpadding|cellspacing|bgcolor|valign|colspan|rowspan|nowrap|span|start|type|value)$/;

/** Reads HTML again, as one who shows it, and names what must not be there. */
function faultsIn(html: string): string[] {
  const faults: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!ALLOWED_TAG.test(name)) faults.push(`<${name}>`);
      for (const [key, value] of Object.entries(attributes)) {
        if (!ALLOWED_ATTRIBUTE.test(key)) faults.push(`${name} ${key}`);
        if (key === 'href' && !/^(?:https?:\/\/|mailto:|tel:)/i.test(value)) faults.push(`href ${value}`);
        if (key === 'src' && !/^(?:https?:\/\/|\/files\/|data:image\/(?:png|gif|jpe?g|webp);)/i.test(value))
          faults.push(`src ${value}`);
        if (key === 'style' && /expression|javascript|position|behavior|import|\\/i.test(value))
          faults.push(`style ${value}`);
      }
    },
    oncomment: (text) => faults.push(`<!--${text}`),
    onprocessinginstruction: (name, data) => faults.push(`${name} ${data}`),
  });
  parser.end(html);
  return faults;
}

describe('what attacks', () => {
  it.each(VECTORS)('%s', (vector) => {
    for (const remote of [false, true]) {
      const { html } = shown(vector, remote);
      expect(faultsIn(html)).toEqual([]);
      expect(html).not.toMatch(/<script|<style|<svg|<math/i);
    }
  });

  it('the second reading finds each kind of it', () => {
    const bad = [
      '<script>',
      '<p onclick=a>',
      '<a href=javascript:a>',
      '<img src=x>',
      '<!-- x -->',
      '<p style="position:x">',
    ];
    expect(bad.map((html) => faultsIn(html).length > 0)).toEqual(bad.map(() => true));
  });

  it('pieces of it, put together at random, are safe, and stay as they are when they are made safe again', () => {
    const markup = [
      '<',
      '>',
      '"',
      "'",
      '`',
      '=',
      '/',
      '<!--',
      '-->',
      '</',
      '&lt;',
      '&#60;',
      '<p title="',
      '<a href="',
      ' ',
    ];
    const piece = fc.oneof(fc.constantFrom(...VECTORS), fc.constantFrom(...markup));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (list) => {
        const { html } = shown(list.join(''), true);
        expect(faultsIn(html)).toEqual([]);
        expect(faultsIn(shown(html, true).html)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('HTML that would take too long is shown as its text', () => {
  test.each([
    ['open tags', '<div>x'.repeat(150_000)],
    ['deep ones', '<b>x'.repeat(1_000)],
    ['more than a megabyte', 'x '.repeat(600_000)],
  ])('%s', (_, given) => {
    const start = cpuTime();
    const { asText, html } = shown(given);
    expect(asText).toBe(true);
    expect(html.startsWith('<pre>x')).toBe(true);
    expect(cpuTime() - start).toBeLessThan(10_000);
  });
});
