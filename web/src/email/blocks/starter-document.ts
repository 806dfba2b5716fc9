import type { StoredNode } from './stored-document.ts';

const VARIABLE = /\{\{(\w+)(?:, fallback=([^{}]*))?\}\}/g;

/** Converts text with variables such as `{{name, fallback=there}}` to inline nodes. */
export function parseInlines(phrase: string): StoredNode[] {
  const nodes: StoredNode[] = [];
  const addText = (text: string) => text && nodes.push({ type: 'text', text });
  let end = 0;
  for (const { 0: match, 1: id, 2: fallback, index } of phrase.matchAll(VARIABLE)) {
    addText(phrase.slice(end, index));
    nodes.push({ type: 'variable', attrs: { id, ...(fallback && { fallback }) } });
    end = index + match.length;
  }
  addText(phrase.slice(end));
  return nodes;
}

const buildBlock = (type: string, text: string, attrs?: StoredNode['attrs']): StoredNode => ({
  type,
  ...(attrs && { attrs }),
  content: parseInlines(text),
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

/** Adds the unsubscribe footer that every campaign needs, unless the document has one. */
export function addFooter(content: string, footer: string): string {
  const doc = JSON.parse(content) as StoredNode;
  if (content.includes('unsubscribe_url') || content.includes('"unsubscribeFooter"')) return content;
  return JSON.stringify({
    ...doc,
    content: [...(doc.content ?? []), buildBlock('unsubscribeFooter', footer)],
  });
}
