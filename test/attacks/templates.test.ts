import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTemplate } from '../../schema/email/templates/read-template.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { readByHandlebars } from './handlebars-reader.ts';

const team = setUpTeam();

const create = (html: string) =>
  team.graphql('mutation ($template: TemplateInput!) { templateCreate(template: $template) { id } }', {
    template: { name: 'x', subject: 's', html },
  });

const READS = 1_000_000;

test.each([
  ['open blocks', '{{#a}}'],
  ['unclosed braces', '{{'],
  ['unclosed comments', '{{!-- '],
  ['comments between blank lines', '{{! }}\n\n\n'],
  ['spaces before a comment', `${' '.repeat(50)}{{! x }}`],
  ['escaped braces', '\\{{'],
  ['variables', '{{a}}'],
])(
  'processes a megabyte of %s without a server error',
  async (_case, part) => {
    const html = part.repeat(READS / part.length);
    const { errors } = await create(html);
    for (const { extensions } of errors ?? []) expect(extensions.code).toBe('BAD_REQUEST');
  },
  20_000,
);

/** Handlebars tokens to combine at random. */
const TOKENS = [
  ...['{{', '}}', '{{{', '}}}', '{', '}', '~', '!', '!--', '--', '&', '#', '/', '^', '>', '*', '@', '='],
  ...[
    '\\',
    '\\\\',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\u00a0',
    'a',
    'b-1',
    'else',
    'elsewhere',
    'this',
    'true',
    'null',
  ],
  ...[
    '[',
    ']',
    '[a]',
    '.',
    '..',
    '|',
    'as',
    '"',
    "'",
    '(',
    ')',
    '1',
    '{{a}}',
    '{{~a~}}',
    '{{{a}}}',
    '{{&a}}',
  ],
  ...[
    '{{! x }}',
    '{{!-- x --}}',
    '{{~! x ~}}',
    '{{!-- x --~}}',
    '\\{{a}}',
    '\\\\{{a}}',
    '\n{{! x }}\n',
    'text',
  ],
];

const tryRender = (text: string): string | null => {
  try {
    const parts = readTemplate(text, (message) => new Error(message));
    return parts
      .map((part) => (typeof part === 'string' ? part : part.raw ? `«${part.name}»` : `‹${part.name}›`))
      .join('');
  } catch (error) {
    expect(['unbalanced', 'not plain']).toContain((error as Error).message);
    return null;
  }
};

test('parses random tokens as Handlebars does', { tags: 'slow' }, () => {
  let acceptedCount = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 9 }), (tokens) => {
      const text = tokens.join('');
      const expected = readByHandlebars(text);
      if (expected !== null && text.includes('{{')) acceptedCount++;
      expect(tryRender(text)).toBe(expected);
    }),
    { numRuns: 30_000 },
  );
  expect(acceptedCount).toBeGreaterThan(500);
});

test.each([
  ['{{name, fallback=x}}', { name: 'name', raw: false, fallback: 'x' }],
  ['{{ name , fallback = "x y" }}', { name: 'name', raw: false, fallback: 'x y' }],
  ['{{{name, fallback=x}}}', { name: 'name', raw: true, fallback: 'x' }],
  ['{{name, fallback=}}', { name: 'name', raw: false, fallback: '' }],
])('parses the fallback in %s', (text, placeholder) => {
  expect(readTemplate(text, (message) => new Error(message))).toEqual([placeholder]);
});

test('includes the line number in an error', async () => {
  const { errors } = await create('<p>\n{{a}}\n{{#if b}}</p>');
  expect(errors?.[0]?.message).toBe(
    'html: only variables such as {{name}} or {{name, fallback=value}} are allowed between braces (line 3).',
  );
});
