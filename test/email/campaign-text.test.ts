import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMessages } from '../../schema/email/campaigns/message.ts';
import { parseBlocks, renderBlocks } from '../../schema/email/editor/block-html.ts';
import { compileText, fillText } from '../../schema/email/editor/variables.ts';
import { AppError } from '../../src/errors.ts';
import { escapeHtml } from '../../src/escape-html.ts';
import { getCpuTime } from '../harness/cpu.ts';

const fill = (text: string, values: Record<string, string>) =>
  fillText(compileText(text), new Map(Object.entries(values)), escapeHtml);

describe('campaign headers', () => {
  const campaign = {
    workspace_id: 7,
    public_id: 'c',
    from: 'a@b.example',
    book_id: 1,
    subject: 's',
    html: 'h',
  };
  const contact = { public_id: 'p', email: 'a@b.example', first_name: null, last_name: null, properties: {} };

  it.each([
    ['smtp', 'c:7:campaign:atrium'],
    ['local', 'c:7:campaign:atrium'],
    ['ses', undefined],
  ] as const)('with %s have the Feedback-ID %s unless the provider sets it', (mailTransport, id) => {
    const sending = { publicUrl: 'https://x.example', secretKey: 'k'.repeat(32), mailTransport };
    const { headers } = createMessages({ ...campaign, preview_text: null, variables: [] }, sending)(contact);
    expect(headers['Feedback-ID']).toBe(id);
  });
});

describe('campaign variables', () => {
  it('are limited in number, and excess variables are not parsed', () => {
    const started = getCpuTime();
    expect(() => compileText('{{a}}'.repeat(1_000_000))).toThrow(
      /^A text may have at most 20000 variables\.$/,
    );
    expect(getCpuTime() - started).toBeLessThan(500);
    expect(compileText('{{a}}'.repeat(20_000))).toHaveLength(40_001);
  });

  it.each([
    ['{{a}}', 'A'],
    ['{{ A }}', 'A'],
    ['{{contact.a}}{{ CONTACT . a }}', 'AA'],
    ['{{a,fallback=x}}', 'A'],
    ['{{ empty , fallback = some = thing }}', 'some = thing'],
    ['{{empty}}', ''],
    ['{{empty, fallback=}}', ''],
    ['{{other}} {{other, fallback=x}}', '{{other}} {{other, fallback=x}}'],
    ['{{a b}} {{a, else=x}} {{}} {{ , fallback=x}} {a}', '{{a b}} {{a, else=x}} {{}} {{ , fallback=x}} {a}'],
    ['{{{a}}}', '{A}'],
    ['{{{{a}}}}', '{{A}}'],
    ['{{html}}', '&lt;b&gt; &amp; &quot;&#39;'],
    ['{{ {{a}} }}', '{{ A }}'],
  ])('%s', (text, expected) => {
    expect(fill(text, { a: 'A', empty: '', html: `<b> & "'` })).toBe(expected);
  });

  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    'a',
    'contact.',
    ' ',
    ',',
    'fallback=',
    '<',
    '&',
    '\n',
    '$&',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((list) => list.join('')),
  );

  it('leave text unchanged if they have no values', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(fill(text, {})).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never turn a value into markup or another variable', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('<script>', '{{b}}', '"><img>', "' onload='"));
    fc.assert(
      fc.property(text, value, (text, a) => {
        const count = (all: string, part: string) => all.split(part).length;
        const plain = fill(text, { a: 'x' });
        const filled = fill(text, { a: a || 'x' });
        for (const character of ['<', '>', '"', "'"])
          expect(count(filled, character)).toBe(count(plain, character));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are parsed quickly in any text of one megabyte', () => {
    const startTime = getCpuTime();
    for (const part of ['{{', '{{a', '{{ ', '{{a,fallback=', '{{a   ', '}}', '{'])
      fill(part.repeat(1_000_000 / part.length), { a: 'x' });
    fill(`{{a${' '.repeat(1_000_000)}`, { a: 'x' });
    expect(getCpuTime() - startTime).toBeLessThan(30_000);
  });
});

describe('campaign blocks', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('"><script>', 'javascript:x', '{{a}}'),
  );
  const TYPES =
    'doc text paragraph heading bulletList orderedList listItem blockquote codeBlock horizontalRule spacer variable button image logo unsubscribeFooter hardBreak constructor __proto__ x'.split(
      ' ',
    );
  const ATTRS =
    'href url src id fallback text level start height width size alignment textAlign buttonColor color alt borderRadius'.split(
      ' ',
    );
  const { node } = fc.letrec((tie) => ({
    node: fc.record(
      {
        type: fc.constantFrom(...TYPES),
        attrs: fc.dictionary(fc.constantFrom(...ATTRS), leaf),
        content: fc.oneof({ depthSize: 'small' }, fc.array(tie('node'), { maxLength: 4 }), leaf),
        text: leaf,
        marks: fc.array(
          fc.record({
            type: fc.constantFrom('bold', 'link', 'textStyle', 'toString', 'code'),
            attrs: fc.dictionary(fc.constantFrom('href', 'color'), leaf),
          }),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ['type'] },
    ),
  }));

  it('are rendered as inert HTML or rejected with a message', () => {
    fc.assert(
      fc.property(fc.oneof(node, fc.jsonValue()), (text) => {
        try {
          const html = renderBlocks(parseBlocks('content', JSON.stringify(text)));
          expect(html).not.toMatch(/<script|(?:href|src)="\s*javascript:|<[a-z0-9]+[^>]*\son\w+=/i);
          expect(findUnbalancedTags(html)).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are rejected if they are too long or nested too deeply', () => {
    let deep: object = { type: 'text', text: 'x' };
    for (let i = 0; i < 60; i++) deep = { type: 'blockquote', content: [deep] };
    const long = {
      type: 'doc',
      content: Array.from({ length: 10_001 }, () => ({ type: 'text', text: 'x' })),
    };
    for (const doc of [{ type: 'doc', content: [deep] }, long])
      expect(() => parseBlocks('content', JSON.stringify(doc))).toThrow(/content: has too many/);
    expect(() => parseBlocks('content', '['.repeat(100_000))).toThrow(/content/);
  });
});

const VOID = new Set(['br', 'hr', 'img', 'meta', '!doctype']);

function findUnbalancedTags(html: string): string[] {
  const open: string[] = [];
  for (const [, end, name] of html.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    const tag = name!.toLowerCase();
    if (VOID.has(tag)) continue;
    if (!end) open.push(tag);
    else if (open.at(-1) === tag) open.pop();
    else open.push(`/${tag}`);
  }
  return open;
}
