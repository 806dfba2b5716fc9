import type { StoredNode } from './stored-document.ts';

const VARIABLE = /\{\{(\w+)(?:, fallback=([^{}]*))?\}\}/g;

/** Converts text with variables such as `{{name, fallback=there}}` to inline nodes. */
export function parseInlines(words: string): StoredNode[] {
  const nodes: StoredNode[] = [];
  const addText = (text: string) => text && nodes.push({ type: 'text', text });
  let end = 0;
  for (const { 0: whole, 1: id, 2: fallback, index } of words.matchAll(VARIABLE)) {
    addText(words.slice(end, index));
    nodes.push({ type: 'variable', attrs: { id, ...(fallback && { fallback }) } });
    end = index + whole.length;
  }
  addText(words.slice(end));
  return nodes;
}

const buildBlock = (type: string, words: string, attrs?: StoredNode['attrs']): StoredNode => ({
  type,
  ...(attrs && { attrs }),
  content: parseInlines(words),
});

/** Builds an initial document. `footer` is the text of the unsubscribe footer. */
export const buildStarterDocument = ({
  title,
  text,
  footer,
}: {
  title: string;
  text: string;
  footer?: string;
}): string =>
  JSON.stringify({
    type: 'doc',
    content: [
      buildBlock('heading', title, { level: 1 }),
      buildBlock('paragraph', text),
      ...(footer ? [buildBlock('unsubscribeFooter', footer)] : []),
    ],
  });

/** Adds the unsubscribe footer that every campaign must have, unless the document already has one. */
export function addFooter(content: string, footer: string): string {
  const doc = JSON.parse(content) as StoredNode;
  if (content.includes('unsubscribe_url') || content.includes('"unsubscribeFooter"')) return content;
  return JSON.stringify({
    ...doc,
    content: [...(doc.content ?? []), buildBlock('unsubscribeFooter', footer)],
  });
}
