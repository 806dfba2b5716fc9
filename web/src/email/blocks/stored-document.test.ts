import { expect, it } from 'vitest';
import { toLocalSource } from './image-source.ts';
import { addFooter, buildStarterDocument, parseInlines } from './starter-document.ts';
import {
  fromEditorDocument,
  parseStoredDocument,
  type StoredNode,
  toEditorDocument,
} from './stored-document.ts';
import { suggestNames } from './variable-names.ts';

const buildText = (text: string, ...marks: StoredNode[]): StoredNode => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text,
});

const buildDocument = (...content: StoredNode[]): StoredNode => ({ type: 'doc', content });

it.each<[string, StoredNode]>([
  [
    'texts with marks',
    buildDocument({ type: 'paragraph', content: [buildText('a', { type: 'bold' }), buildText('b')] }),
  ],
  [
    'editor output',
    buildDocument(
      { type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [buildText('Title')] },
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [buildText('x')] }] }],
      },
      { type: 'button', attrs: { text: 'Go', url: 'https://example.com', alignment: 'center' } },
      { type: 'unsubscribeFooter', content: [buildText('Bye')] },
    ),
  ],
  [
    'nodes, marks and attributes of another program',
    buildDocument(
      { type: 'columns', attrs: { count: 2 }, content: [{ type: 'column', content: [] }] },
      { type: 'button', attrs: { text: 'Go', variant: 'round', showIfKey: 'x' } },
      {
        type: 'paragraph',
        attrs: { showIfKey: 'plan' },
        content: [
          buildText('a', { type: 'highlight', attrs: { color: 'red' } }),
          { type: 'emoji', attrs: { n: 1 } },
        ],
      },
      { type: 'unsubscribeFooter', content: [{ type: 'paragraph', content: [buildText('Bye')] }] },
    ),
  ],
])('round-trips %s through the editor', (_what, storedNode) => {
  expect(fromEditorDocument(toEditorDocument(storedNode))).toEqual(storedNode);
});

it('keeps unknown content as one block, and drops attributes without a value', () => {
  const columns = { type: 'columns', content: [{ type: 'column' }] };
  expect(toEditorDocument(buildDocument(columns)).content).toEqual([
    { type: 'foreignBlock', attrs: { json: JSON.stringify(columns) } },
  ]);
  expect(fromEditorDocument({ type: 'paragraph', attrs: { textAlign: null, rest: null } })).toEqual({
    type: 'paragraph',
  });
});

it.each(['', 'null', '[]', '"doc"', '{"type":"paragraph"}'])('rejects the document %j', (text) => {
  expect(parseStoredDocument(text)).toBeNull();
});

it('builds variable nodes in a starter document, and adds an unsubscribe footer once', () => {
  expect(parseInlines('Hi {{name, fallback=there}}, {{x}}')).toEqual([
    buildText('Hi '),
    { type: 'variable', attrs: { id: 'name', fallback: 'there' } },
    buildText(', '),
    { type: 'variable', attrs: { id: 'x' } },
  ]);
  const starter = buildStarterDocument({ title: 'Hi', text: 'You' });
  const withFooter = addFooter(starter, 'Bye');
  expect(parseStoredDocument(withFooter)?.content?.map(({ type }) => type)).toEqual([
    'heading',
    'paragraph',
    'unsubscribeFooter',
  ]);
  expect(addFooter(withFooter, 'Bye')).toBe(withFooter);
});

it('suggests matching names, contact variables and a new name after two braces', () => {
  expect(suggestNames('Dear {{ Na', ['name', 'nation', 'city'])).toEqual(['name', 'nation', 'Na']);
  expect(suggestNames('Dear {{', ['name'])).toEqual(['name', 'firstName', 'lastName', 'email']);
  expect(suggestNames('Dear {{name', ['name'])).toEqual(['name']);
  expect(suggestNames('Dear {{name}} ', ['name'])).toEqual([]);
});

it('shows images of this server by path, and no images of other servers', () => {
  const path = '/email/image/12-abc-3/0af1';
  expect(toLocalSource(`https://mail.example.com${path}`)).toBe(path);
  expect(toLocalSource(`https://example.com/logo.png`)).toBeNull();
  expect(toLocalSource('{{logo}}')).toBeNull();
});
