import { expect, test } from 'vitest';
import { sanitizeHtml } from '../../src/message/html/sanitize.ts';
import { convertHtmlToText, readVisibleText } from '../../src/message/html-text.ts';
import { getCpuTime } from '../harness/cpu.ts';

test.each([
  ['paragraphs and line breaks', '<p>One\n  two</p><p>three<br>four</p>', 'One two\n\nthree\nfour'],
  ['headings', '<h1>Title</h1>text', 'Title\n\ntext'],
  ['inline formatting', 'a <b>bold</b>, <i>it</i>alic', 'a bold, italic'],
  ['lists', '<ul><li>a</li><li>b</li></ul><ol><li>x</li><li>y</li></ol>', '- a\n- b\n\n1. x\n2. y'],
  ['nested lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['links', '<a href="https://e.x/?a=1&amp;b=2">here</a>', 'here (https://e.x/?a=1&b=2)'],
  ['links whose text is their URL', '<a href="https://e.x">https://e.x</a>', 'https://e.x'],
  ['mail addresses', '<a href="mailto:a@e.x">a@e.x</a> <a href="mailto:b@e.x">Bo</a>', 'a@e.x Bo (b@e.x)'],
  ['links without a target', '<a href="#top">up</a> <a href="javascript:x()">js</a>', 'up js'],
  ['images', '<img src="x.png" alt="Our logo"><img src="y.png">', 'Our logo'],
  ['tables', '<table><tr><td>A</td><td>B</td></tr><tr><td>C</td></tr></table>', 'A B\nC'],
  ['entities', '&lt;a&gt; &amp; &#8364; &#x1F600; &nbsp;&unknown; &amp;lt;', '<a> & € 😀 &unknown; &lt;'],
  ['entities of the whole table', '&hearts;&NotEqualTilde;&Aacute;&shy;&zwj;', '♥≂̸Á'],
  ['preformatted text', '<pre>  a\n    b</pre>', 'a\n    b'],
  ['hidden content', '<head><title>T</title></head><style>p{}</style><script>1<2</script><!-- c -->x', 'x'],
  ['rules', 'a<hr>b', 'a\n\n--------------------\n\nb'],
  ['angle brackets that are not tags', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['a > in quotes', '<a href="https://e.x/?a>b" title=\'>\'>x</a>y', 'x (https://e.x/?a>b)y'],
  ['unclosed elements', '<p>a<div>b<a href="https://e.x">c', 'a\nbc (https://e.x)'],
  ['an unclosed comment', 'a<!-- b', 'a'],
  ['empty input', '', ''],
  ['padding of a preview', '<p>Hi &#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</p>x', 'Hi\n\nx'],
  ['many line breaks', 'a<br><br><br><br>b', 'a\n\nb'],
])('converts %s', (_case, html, text) => {
  expect(convertHtmlToText(html)).toBe(text);
});

const HIDDEN = {
  'display: none': '<div style="display:none">x</div>',
  'display: none, important': '<div style="DISPLAY : none !important; display:block">x</div>',
  'an unknown display': '<div style="display:none;display:foo">x</div>',
  'escapes and comments': '<div style="dis\\70 lay:/* */no\\ne">x</div>',
  'the hidden attribute': '<p hidden>x</p>',
  'visibility: hidden': '<div style="visibility:hidden"><b>x</b></div>',
  'font-size: 0': '<div style="font-size:0"><p>x</p></div>',
  'font: 0': '<span style="font:0/0 a">x</span>',
  'a relative font in one of none': '<p style="font-size:1px"><b style="font-size:200%">x</b></p>',
  'opacity: 0': '<div style="opacity:0"><p style="opacity:1">x</p></div>',
  'no height': '<div style="max-height:0px;overflow:hidden">x</div>',
  'flat lines': '<div style="line-height:0;overflow:hidden">x</div>',
  'flat lines of a font': '<div style="font:12px/0 Arial;overflow:hidden">x</div>',
  'flat lines around it':
    '<div style="line-height:1%;overflow:clip"><div><b style="color:red">x</b></div></div>',
  'flat lines of a paragraph without margins':
    '<div style="line-height:.01;overflow-y:hidden"><p style="margin:0">x</p></div>',
  'a clip': '<span style="position:absolute;clip:rect(0, 0, 0, 0)">x</span>',
  'a place beyond the page': '<div style="position:absolute; left:-9999px">x</div>',
  'a transparent color': '<span style="color:rgba(0,0,0,0)">x</span>',
  'white on white': '<font color="#FFFFFF">x</font>',
  'nearly the color behind it': '<p style="background:#101010"><i style="color:#111">x</i></p>',
  'an image': '<div hidden><img alt="x"></div>',
  'a link': '<div hidden><a href="https://e.x">x</a></div>',
  'an element that another one does not end': '<div hidden><span></div2></span>x</div>',
  'a paragraph within': '<p>a</p><div hidden></p>x</div>',
  'crossed tags': '<b><div hidden></b>x</div>',
  'an end tag of another table cell': '<div hidden><table><tr><td></div>x</td></tr></table></div>',
  'an inline element that no block lets end': '<span hidden><div></span>x</div></span>',
  'a list in an item': '<ul><li hidden><ul></li>x</ul></li></ul>',
  'a frame': '<iframe>x</iframe>',
  'opacities that multiply': '<p style="opacity:.1"><b style="opacity:.1">x</b></p>',
  'relative fonts that multiply': '<p style="font-size:20%"><b style="font-size:.2em">x</b></p>',
  'the color of the body': '<body bgcolor="black" text="#000">x</body>',
  'a legacy color': '<font color="ff0ff0ff0">x</font>',
  'a gradient of one color':
    '<p style="background:linear-gradient(#000,#000)"><b style="color:#000">x</b></p>',
  'a background that is not displayed': '<p style="background:var(--a,#000);color:#fff">x</p>',
  'a text shadow that is not displayed': '<p style="color:#fff;text-shadow:0 0 1px #000">x</p>',
  'a background of an element without one': '<p bgcolor="black"><font color="white">x</font></p>',
  'a background of an unknown element': '<foo style="background:#000"><font color="white">x</font></foo>',
  'an unknown element': '<foo style="font-size:0">x</foo>',
  'white on an image without an address': '<table background="a.png"><td><font color="white">x</table>',
  'a second body': '<div><body bgcolor="black"><font color="white">x</font></div>',
  'a closed dialog': '<dialog>x</dialog>',
  'a popover': '<div popover>x</div>',
  ...Object.fromEntries(
    [
      ...['font-size:calc(1px - 1px)', 'font-size:min(0px, 9px)', 'font-size:.1mm', 'font-size:1e-3px'],
      ...[
        'font:calc(0px)/0 a',
        'opacity:1e-9',
        'opacity:-1',
        'opacity:calc(0)',
        'filter:blur(0) opacity(0%)',
      ],
      ...[
        'position:absolute;clip:rect(50px,0,50px,0)',
        'clip-path:inset( 50% )',
        'clip-path:inset(0 100% 0 0)',
      ],
      ...['clip-path:polygon(0 0,0 0,0 0)', 'clip-path:ellipse(0 0)', '-webkit-clip-path:circle(0 at 0 0)'],
      ...['position:absolute;right:9999px', 'position:absolute;left:-200%', 'position:relative;left:-99em'],
      ...['position:fixed;inset:-9999px auto auto 0', 'margin:0 0 0 -9999px', 'margin-inline-start:-99in'],
      ...['text-indent:-9999px', 'text-indent:100%;white-space:nowrap;overflow:hidden'],
      ...[
        'transform:translateX(-9999px)',
        'transform:scale(1,0)',
        'transform:matrix(0,0,0,0,0,0)',
        'scale:0',
      ],
      ...[
        'zoom:1%',
        'content-visibility:hidden',
        'height:0;overflow:auto',
        'max-block-size:0;overflow-y:clip',
      ],
      ...['color:hsl(0,0%,100%)', 'color:rgb(100% 100% 100%)', 'color:hsla(0,0%,0%,0)', 'color:snow'],
      ...[
        'color:red;background:red',
        'color:#333;background:no-repeat #333',
        '-webkit-text-fill-color:#0000',
      ],
    ].map((style) => [style, `<div style="${style}">x</div>`]),
  ),
  ...Object.fromEntries(
    Object.entries({
      'a class': '.a{display:none}',
      'a class in an unclosed rule': '.a{display:none',
      'a class behind a rule in error': '}.b{color:red}.a{display:none}',
      'a class in the second selector': '.b,.a{visibility:hidden}',
      'a class of off-screen elements': '.a{position:absolute;left:-9999px}',
      'an escaped class': '.\\61 {dis\\70lay:none}',
      'comments in a selector': '/*}*/.a/**/{/*{*/display:none}',
      'an id': '#i{font-size:0}',
      'an element around it': 'body>section .a{opacity:0}',
      'a class that is important': '.a{display:none!important}.a.a{display:block}',
      'a class at all widths': '@media (min-width:1px){.a{display:none}}',
      'a class at some width of a desk': '@media only screen and (min-width:900px){.a{display:none}}',
      'classes at all widths in parts':
        '@media (max-width:999px){.a{display:none}}@media (min-width:999px){#i{display:none}}',
      'media in media': '@media screen{@media (min-width:20em){.a{display:none}}}',
      'a class that is shown on a phone': '.a{display:none}@media(max-width:600px){.a{display:block}}',
      'a class that nobody can show': '.a{display:none}@media (width:800px){.a{display:block}}',
      'an element around the table that it is moved out of': 'section>p{display:none}',
      'a style that is not shown': '.a{display:none}.a{display:bl\\6fck}',
      'white on white by class': '.a{color:#fff}section{background-color:white}',
      'a style sheet in old comments': '<!-- .a{display:none} -->',
      'an attribute': 'p[id^="i"]{display:none}',
      'an attribute that hides at all widths': '@media (width >= 1px){[class~=b]{font-size:0}}',
      'the root element': ':root .a{display:none}',
      'a list of one': ':is(.a){display:none}',
      'a supported feature': '@supports (display:block){.a{display:none}}',
      'all media but one': '@media not print{.a{display:none}}',
      'a resolution': '@media screen and (-webkit-min-device-pixel-ratio:0){.a{display:none}}',
      'a comment that does not end': '.a{display:none} /* .a{display:block}',
    }).map(([name, css]) => [
      `${name} of a style sheet`,
      `<style>${css}</style><section><p class="b a" id="i">x</p></section>`,
    ]),
  ),
};

test.each(Object.entries(HIDDEN))(
  'removes text hidden by %s and preserves the text around it',
  (_case, hidden) => {
    const { text, leftOut } = readVisibleText(`before ${hidden.replace(/\bx\b/, 'concealed')} after`);
    expect(text.replace(/\s+/g, ' ').replace(' a ', ' ')).toBe('before after');
    expect(leftOut).toBe(!hidden.startsWith('<iframe'));
  },
);

const SEEN = {
  'a font that an element within gives': '<p style="font-size:0"><span style="font-size:14px">x</span></p>',
  'a font element with a size': '<div style="font-size:0"><font size="3">x</font></div>',
  'visibility within': '<div style="visibility:hidden"><p style="visibility:visible">x</p></div>',
  'a display that counts more': '<div hidden style="display:block">x</div>',
  'an inline element without a height': '<span style="height:0;overflow:hidden">x</span>',
  'flat lines that are not clipped': '<div style="line-height:0">x</div>',
  'a higher line in a flat box':
    '<div style="line-height:0;overflow:hidden"><b style="line-height:1">x</b></div>',
  'a paragraph with margins in a flat box': '<div style="line-height:0;overflow:hidden"><p>x</p></div>',
  'flat lines in a box with a height': '<div style="line-height:0;overflow:hidden;height:20px">x</div>',
  'flat lines in a box with padding': '<div style="line-height:0;overflow:hidden;padding:9px">x</div>',
  'a flat inline element': '<span style="line-height:0;overflow:hidden">x</span>',
  'a flat cell': '<table><tr><td style="line-height:0;overflow:hidden">x</td></tr></table>',
  'a cell without a height': '<table><tr><td style="height:0;overflow:hidden">x</td></tr></table>',
  'a box with padding': '<div style="height:0;overflow:hidden;padding-bottom:56%">x</div>',
  'a paragraph after one that is not closed': '<p hidden>a<p>x',
  'a block after a paragraph': '<p hidden>a<div>x</div>',
  'an item after one': '<ul><li hidden>a<li>x</ul>',
  'a term after one': '<dl><dt hidden>a<dd>x</dl>',
  'a cell after one': '<table><tr><td hidden>a<td>x</table>',
  'a row after one': '<table><tr hidden><td>a<tr><td>x</table>',
  'a section after one': '<table><thead hidden><tr><td>a<tbody><tr><td>x</table>',
  'text behind a table': '<table hidden><tr><td>a</table>x',
  'text in a table, which browsers move out': '<table hidden>x<tr><td>a</td></tr></table>',
  'a cell without a table': '<td hidden>x</td>',
  'a heading after one': '<h1 hidden>a<h2>x</h2>',
  'a link after one': '<a hidden>a<a>x</a>',
  'a head that is not closed': '<head>x',
  'an empty element that is hidden': '<br hidden>x<img hidden>',
  'white on the background of a type':
    '<style>td{background:red}</style><table><td><font color="white">x</font></table>',
  'white in a class':
    '<style>.dark{background:#000}</style><div class="dark"><font color="white">x</font></div>',
  'a class of another element': '<style>p.a{display:none}</style><div class="a">x</div>',
  'a class within another one': '<style>.a .b{display:none}</style><div class="b"><p class="a">x</p></div>',
  'a style that counts more': '<style>.a{display:none}</style><p class="a" style="display:block">x</p>',
  'a selector that counts more': '<style>#a{display:block}.a{display:none}</style><p class="a" id="a">x</p>',
  'a class on a phone': '<style>@media (max-width:600px){.a{display:none}}</style><p class="a">x</p>',
  'a class in print': '<style>@media print{.a{display:none}}</style><p class="a">x</p>',
  'a class in dark colors':
    '<style>@media (prefers-color-scheme:dark){.a{display:none}}</style><p class="a">x</p>',
  'a rule that is not read': '<style>.a:hover,p+p{display:none}</style><p class="a">x</p>',
  'a style sheet in a comment': '<!-- <style>p{display:none}</style> --><p>x</p>',
  'white on a gradient': '<p style="background:linear-gradient(#000,#009);color:#fff">x</p>',
  'white on a black body': '<body style="background:#000"><p style="color:#fff">x</p></body>',
  'white on a black body by attribute': '<body bgcolor="#000000" text="white"><p>x</p></body>',
  'an attribute of another element': '<style>p[title=a]{display:none}</style><p title="b">x</p>',
  'a feature that is not supported': '<style>@supports not (display:grid){p{display:none}}</style><p>x</p>',
  'a width of a phone': '<style>@media (width < 600px){p{display:none}}</style><p>x</p>',
  'a color attribute of a paragraph': '<p color="white">x</p>',
  'white on black': '<table bgcolor="black"><td><font color="white">x</font></table>',
  'white on an image': '<table background="https://e.test/a.png"><td><font color="white">x</font></table>',
  'a style that is none': '<div style="display:none none">x</div>',
  'a margin': '<div style="margin-left:-20px">x</div>',
  'a half opacity': '<div style="opacity:.5">x</div>',
};

test.each(Object.entries(SEEN))('keeps text visible with %s', (_case, html) => {
  expect(convertHtmlToText(html.replace(/\bx\b/, 'seen'))).toContain('seen');
});

test.each(Object.entries({ ...HIDDEN, ...SEEN }))(
  'displays all text that agents read with %s',
  (_case, html) => {
    const given = `before ${html.replace(/\bx\b/, 'text')} after`;
    const options = { cid: () => null, remoteImage: (address: string) => address, styles: 'scoped' } as const;
    const displayedWords = convertHtmlToText(sanitizeHtml(given, options).html).split(/\s+/);
    expect(displayedWords).toEqual(expect.arrayContaining(convertHtmlToText(given).split(/\s+/)));
  },
);

test.each(['textarea', 'object', 'applet', 'xmp', 'math', 'svg', 'canvas', 'meter', 'option', 'noembed'])(
  'removes the content of %s, which is not displayed',
  (name) => {
    expect(convertHtmlToText(`a <${name}>b<${name}>c</${name}>d</${name}> e`)).not.toMatch(/[bc]/);
  },
);

const buildNested = (open: string, close: string, count: number): string =>
  open.repeat(count) + close.repeat(count);

test.each([
  ['open blocks, closed by others', buildNested('<div hidden>', '</p></span></td>', 15_000)],
  ['crossed formatting', buildNested('<b><div hidden>', '</b>', 12_500)],
  ['hidden formatting', buildNested('<b hidden><div>', '</b>', 12_500)],
  ['nested tables', buildNested('<table><td>', '</tr></div>', 15_000)],
  ['items in spans', buildNested('<li><span>', '</li>', 15_000)],
  ['long styles', `<p style="${'a:b;'.repeat(62_500)}">x`],
  ['comments in styles', `<p style="${'/*'.repeat(125_000)}">x`],
  ['fonts in styles', `<p style="${`font:${'1'.repeat(1_000)};`.repeat(1_000)}">x`],
  ['styled elements', '<p style="color:#fff;font:1px a;clip:rect(0 0 0 0);top:1px">x'.repeat(4_000)],
  ['brackets in styles', `<p style="clip:${'rect('.repeat(50_000)}">x`],
  ['numbers in styles', `<p style="opacity:${'0'.repeat(250_000)};font-size:${'1'.repeat(1_000)}">x`],
  ['opening brackets', '<'.repeat(250_000)],
  ['open quotes', '<a href="'.repeat(50_000)],
  ['open links', '<a href=https://x>'.repeat(12_500) + 'word</a>'.repeat(12_500)],
  ['closing tags without an element', `<style>${'</style'.repeat(50_000)}`],
  ['attributes', `<a ${' href '.repeat(50_000)}>x</a>`],
  ['rules', `<style>${'.a .b .c{color:red}'.repeat(3_250)}</style>${'<p class="a b c">x'.repeat(5_000)}`],
  [
    'widths',
    `<style>${Array.from({ length: 12 }, (_, i) => `@media (min-width:${i + 800}px){p{color:red}}`).join('')}</style>` +
      '<p style="color:red">x'.repeat(7_500),
  ],
  ['selectors', `<style>${'a,'.repeat(30_000)}b{color:red}</style>`],
  ['open rules', `<style>${'a{'.repeat(125_000)}</style>`],
  ['words', 'word <b>x</b> '.repeat(50_000)],
  ['white space', `${`${' '.repeat(100)}\t<br>`.repeat(5_000)}`],
  ['open elements, closed by others', '<b>'.repeat(50_000) + '</i>'.repeat(50_000)],
  ['nested hidden elements', '<svg>'.repeat(50_000)],
  [
    'conditions on words of attributes',
    `<style>${Array.from({ length: 3_000 }, (_, i) => `[a~="x${i}"]{opacity:0}`).join('')}</style>` +
      `<p a="${'y '.repeat(300)}">t</p>`.repeat(200),
  ],
  ['many different attributes', `<a ${Array.from({ length: 25_000 }, (_, i) => `a${i}=1`).join(' ')}>x</a>`],
  ['broken entities', '&CounterClockwiseContourIntegra'.repeat(7_500)],
  ['open comments', '<!--'.repeat(75_000)],
  ['ampersands', '&'.repeat(250_000)],
])('converts a long text of %s in time', (_case, html) => {
  const startTime = getCpuTime();
  convertHtmlToText(html);
  expect(getCpuTime() - startTime).toBeLessThan(2_000);
});
