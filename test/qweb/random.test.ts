import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { expect, it } from 'vitest';
import { type CompiledMarkup, compileMarkup } from '../../src/qweb/compile.ts';
import type { MarkupValue } from '../../src/qweb/expression.ts';
import { MarkupError } from '../../src/qweb/markup-error.ts';
import { isSafeAddress } from '../../src/qweb/policy.ts';
import { renderMarkup } from '../../src/qweb/render.ts';
import { RenderError } from '../../src/qweb/render-error.ts';

const NAMES = [
  'p',
  't',
  'a',
  'img',
  'div',
  'script',
  'style',
  'svg',
  'iframe',
  'form',
  'title',
  'textarea',
  'br',
  'SCRIPT',
];
const ATTRIBUTES = [
  ...[
    'href',
    'src',
    'onclick',
    't-if',
    't-elif',
    't-else',
    't-foreach',
    't-as',
    't-set',
    't-value',
    't-valuef',
    't-out',
  ],
  ...[
    't-call',
    't-att-href',
    't-attf-src',
    't-att-title',
    't-att-onload',
    'style',
    'action',
    't-records',
    'x:href',
    'groups',
  ],
];
const WORDS = [
  ...[
    'a',
    'b.c',
    'l',
    'e',
    'x',
    '0',
    'self',
    'self.layout',
    "'<img src=x onerror=alert(1)>'",
    'javascript:alert(1)',
  ],
  ...[
    '{{a}}',
    '#{b.c}',
    'a and not b',
    '"',
    '<',
    '&lt;script&gt;',
    ']]>',
    '&#x6A;avascript:x',
    'constructor',
    '__proto__',
  ],
  ...['a.constructor.constructor', 'https://x.example', '((', "a == 'x'", 'e_index', '', ' ', '\u0000', '--'],
];

const word = fc.constantFrom(...WORDS);
const attribute = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), word)
  .map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`);

const { element } = fc.letrec<{ element: string; child: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.array(attribute, { maxLength: 4 }),
      fc.array(tie('child'), { maxLength: 4 }),
    )
    .map(([name, attributes, children]) => `<${name}${attributes.join('')}>${children.join('')}</${name}>`),
  child: fc.oneof(
    { depthSize: 'small' },
    word.map((text) => text.replace(/[<&]/g, '')),
    tie('element'),
  ),
}));

const VALUES: Record<string, MarkupValue> = {
  a: '<script>alert(1)</script>"\'',
  b: { c: 'javascript:alert(1)' },
  l: [1, '<b>', { n: 'x' }],
  x: '" onmouseover="alert(1)',
};

function findDangers(html: string): string[] {
  const dangers: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (/^(script|iframe|object|embed|base)$/.test(name)) dangers.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on')) dangers.push(key);
        if (/^(href|src|action)$/.test(key) && !isSafeAddress(value)) dangers.push(`${key}=${value}`);
      }
    },
  });
  parser.end(html);
  return dangers;
}

it('renders random markup safely, or reports the position of the error', () => {
  let renderedCount = 0;
  fc.assert(
    fc.property(element, element, (arch, layout) => {
      const compiledMarkup = tryCompile(arch);
      const calledMarkup = tryCompile(layout);
      if (!compiledMarkup) return;
      const templates = new Map<string, CompiledMarkup>([
        ['self', compiledMarkup],
        ...(calledMarkup ? [['self.layout', calledMarkup] as const] : []),
      ]);
      const html = tryRender(compiledMarkup, templates);
      if (html === null) return;
      renderedCount++;
      expect(findDangers(html)).toEqual([]);
      expect(html).not.toContain('function');
    }),
    { numRuns: 1_000 },
  );
  expect(renderedCount).toBeGreaterThan(100);
});

it('compiles random text, or reports the position of the error', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.string(), fc.constantFrom('<', '</', '<!', '<!--', '<![CDATA[', '>', '/>'))),
      (parts) => {
        tryCompile(parts.join(''));
      },
    ),
    { numRuns: 1_000 },
  );
});

it.each([
  ['unterminated comments', '<!--'],
  ['declarations', '<!'],
  ['unterminated sections', '<![CDATA['],
  ['unclosed elements', '<a '],
  ['entities', '&amp;'],
  ['spaces before declarations', '<                              '],
])('rejects a long sequence of %s', (_what, part) => {
  const text = `<p>${part.repeat(Math.floor(200_000 / part.length))}`;
  expect(tryCompile(text)).toBeNull();
});

function tryCompile(arch: string): CompiledMarkup | null {
  try {
    return compileMarkup(arch, { scripts: false });
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    expect(error.message).toMatch(/\(line \d+, column \d+\)$/);
    return null;
  }
}

function tryRender(template: CompiledMarkup, templates: Map<string, CompiledMarkup>): string | null {
  try {
    return renderMarkup(template, {
      values: VALUES,
      templates,
      records: new Map(),
      link: (address) => address,
      picture: () => '',
    });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return null;
  }
}
