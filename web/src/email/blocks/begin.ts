import type { Stored } from './stored.ts';

const PLACE = /\{\{(\w+)(?:, fallback=([^{}]*))?\}\}/g;

/** Words with variables such as `{{name, fallback=there}}`, as nodes of a text. Pure. */
export function inlines(words: string): Stored[] {
  const nodes: Stored[] = [];
  const say = (text: string) => text && nodes.push({ type: 'text', text });
  let end = 0;
  for (const { 0: whole, 1: id, 2: fallback, index } of words.matchAll(PLACE)) {
    say(words.slice(end, index));
    nodes.push({ type: 'variable', attrs: { id, ...(fallback && { fallback }) } });
    end = index + whole.length;
  }
  say(words.slice(end));
  return nodes;
}

const block = (type: string, words: string, attrs?: Stored['attrs']): Stored => ({
  type,
  ...(attrs && { attrs }),
  content: inlines(words),
});

/** A document to begin with; `footer` is one by which readers leave. Pure. */
export const beginning = ({
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
      block('heading', title, { level: 1 }),
      block('paragraph', text),
      ...(footer ? [block('unsubscribeFooter', footer)] : []),
    ],
  });

/** A document with a footer by which readers leave, which each campaign must have. Pure. */
export function withFooter(content: string, footer: string): string {
  const doc = JSON.parse(content) as Stored;
  if (content.includes('unsubscribe_url') || content.includes('"unsubscribeFooter"')) return content;
  return JSON.stringify({ ...doc, content: [...(doc.content ?? []), block('unsubscribeFooter', footer)] });
}
