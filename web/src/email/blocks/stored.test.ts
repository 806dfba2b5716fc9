import { expect, it } from 'vitest';
import { beginning, inlines, withFooter } from './begin.ts';
import { shownSource } from './image-source.ts';
import { namesFor } from './names.ts';
import { fromEditor, type Stored, storedOf, toEditor } from './stored.ts';

const text = (words: string, ...marks: Stored[]): Stored => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: words,
});

const doc = (...content: Stored[]): Stored => ({ type: 'doc', content });

it.each<[string, Stored]>([
  ['texts with marks', doc({ type: 'paragraph', content: [text('a', { type: 'bold' }), text('b')] })],
  [
    'what the editor writes',
    doc(
      { type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [text('Title')] },
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [text('x')] }] }],
      },
      { type: 'button', attrs: { text: 'Go', url: 'https://example.com', alignment: 'center' } },
      { type: 'unsubscribeFooter', content: [text('Bye')] },
    ),
  ],
  [
    'nodes, marks and attributes of another program',
    doc(
      { type: 'columns', attrs: { count: 2 }, content: [{ type: 'column', content: [] }] },
      { type: 'button', attrs: { text: 'Go', variant: 'round', showIfKey: 'x' } },
      {
        type: 'paragraph',
        attrs: { showIfKey: 'plan' },
        content: [
          text('a', { type: 'highlight', attrs: { color: 'red' } }),
          { type: 'emoji', attrs: { n: 1 } },
        ],
      },
      { type: 'unsubscribeFooter', content: [{ type: 'paragraph', content: [text('Bye')] }] },
    ),
  ],
])('a document comes out of the editor as it went in: %s', (_what, stored) => {
  expect(fromEditor(toEditor(stored))).toEqual(stored);
});

it('what the editor does not know is one piece of it, and an attribute without a value is none', () => {
  const columns = { type: 'columns', content: [{ type: 'column' }] };
  expect(toEditor(doc(columns)).content).toEqual([
    { type: 'foreignBlock', attrs: { json: JSON.stringify(columns) } },
  ]);
  expect(fromEditor({ type: 'paragraph', attrs: { textAlign: null, rest: null } })).toEqual({
    type: 'paragraph',
  });
});

it.each(['', 'null', '[]', '"doc"', '{"type":"paragraph"}'])('%j is no document', (given) => {
  expect(storedOf(given)).toBeNull();
});

it('a text begins with its variables as nodes, and a campaign with a way to leave', () => {
  expect(inlines('Hi {{name, fallback=there}}, {{x}}')).toEqual([
    text('Hi '),
    { type: 'variable', attrs: { id: 'name', fallback: 'there' } },
    text(', '),
    { type: 'variable', attrs: { id: 'x' } },
  ]);
  const bare = beginning({ title: 'Hi', text: 'You' });
  const whole = withFooter(bare, 'Bye');
  expect(storedOf(whole)?.content?.map(({ type }) => type)).toEqual([
    'heading',
    'paragraph',
    'unsubscribeFooter',
  ]);
  expect(withFooter(whole, 'Bye')).toBe(whole);
});

it('names are offered behind two braces, in any case', () => {
  expect(namesFor('Dear {{ Na', ['name', 'nation', 'city'])).toEqual(['name', 'nation']);
  expect(namesFor('Dear {{', ['name'])).toEqual(['name']);
  expect(namesFor('Dear {{name}} ', ['name'])).toEqual([]);
});

it('an image of this server is shown from the page’s own address, one of another not at all', () => {
  const path = '/email/image/12-abc-3/0af1';
  expect(shownSource(`https://mail.example.com${path}`)).toBe(path);
  expect(shownSource(`https://example.com/logo.png`)).toBeNull();
  expect(shownSource('{{logo}}')).toBeNull();
});
