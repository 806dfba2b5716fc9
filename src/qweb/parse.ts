import sax from 'sax';
import { limits } from '../limits.ts';
import { MarkupError, type MarkupPosition } from './markup-error.ts';

export const MAX_ARCH_CHARS = 256 * 1024;
export const MAX_ARCH_NODES = 20_000;
const MAX_ELEMENT_ATTRIBUTES = 50;

export interface MarkupAttribute extends MarkupPosition {
  name: string;
  value: string;
}

export interface MarkupElement extends MarkupPosition {
  kind: 'element';
  name: string;
  attributes: MarkupAttribute[];
  children: MarkupNode[];
}

interface MarkupText extends MarkupPosition {
  kind: 'text';
  text: string;
}

export type MarkupNode = MarkupElement | MarkupText;

const NAME_PATTERN = /^[A-Za-z_][\w:.-]{0,99}$/;

/**
 * Parses well-formed XML with one root element. Drops comments. Supports HTML entity names, such as `&nbsp;`.
 * @throws MarkupError
 */
export function parseMarkup(text: string): MarkupElement {
  if (text.length > MAX_ARCH_CHARS)
    throw new MarkupError(`Markup may have at most ${MAX_ARCH_CHARS} characters.`, { line: 1, column: 1 });
  rejectDeclarations(text);
  const top: MarkupElement = { kind: 'element', name: '', attributes: [], children: [], line: 1, column: 1 };
  const parser = createParser(top);
  parser.write(text).close();
  const [root, second] = top.children.filter((node) => node.kind === 'element' || node.text.trim() !== '');
  if (!root) throw new MarkupError('The markup has no element.', top);
  if (root.kind === 'text') throw new MarkupError('Text is not allowed outside of the root element.', root);
  if (second) throw new MarkupError('The markup must have a single root element.', second);
  return root;
}

/** Declarations can define entities and are slow to parse. Pages do not need them. */
function rejectDeclarations(text: string): void {
  const marks = /<\s*[!?]/g;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const closing = text.startsWith('<!--', mark.index)
      ? '-->'
      : text.startsWith('<![CDATA[', mark.index)
        ? ']]>'
        : null;
    if (!closing)
      throw new MarkupError(
        'Markup cannot contain declarations or processing instructions.',
        getPosition(text, mark.index),
      );
    const end = text.indexOf(closing, mark.index + 4);
    // The parser reports the unclosed declaration.
    if (end < 0) return;
    marks.lastIndex = end;
  }
}

function getPosition(text: string, index: number): MarkupPosition {
  const before = text.slice(0, index);
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

function createParser(top: MarkupElement): sax.SAXParser {
  const parser = sax.parser(true, { position: true });
  // The parser's table inherits members of Object, so `&constructor;` would expand to source text.
  parser.ENTITIES = Object.assign(Object.create(null), ENTITIES);
  const openElements = [top];
  const start: MarkupPosition = { line: 1, column: 1 };
  const counts = { nodes: 0 };
  const getPosition = (): MarkupPosition => ({ line: parser.line + 1, column: Math.max(1, parser.column) });
  let attributes: MarkupAttribute[] = [];
  const add = (node: MarkupNode) => {
    if (++counts.nodes > MAX_ARCH_NODES)
      throw new MarkupError(`Markup may have at most ${MAX_ARCH_NODES} elements and text nodes.`, node);
    openElements.at(-1)!.children.push(node);
  };
  parser.onerror = (error) => {
    throw new MarkupError(error.message.split('\n')[0]!.replace(/\.$/, ''), getPosition());
  };
  parser.onopentagstart = () => {
    Object.assign(start, getPosition());
    attributes = [];
  };
  parser.onattribute = ({ name, value }) => {
    if (!NAME_PATTERN.test(name))
      throw new MarkupError(`${name.slice(0, 40)} is not a valid attribute name.`, getPosition());
    if (attributes.length >= MAX_ELEMENT_ATTRIBUTES)
      throw new MarkupError(
        `An element may have at most ${MAX_ELEMENT_ATTRIBUTES} attributes.`,
        getPosition(),
      );
    attributes.push({ name, value, ...getPosition() });
  };
  parser.onopentag = ({ name }) => {
    if (!NAME_PATTERN.test(name))
      throw new MarkupError(`${name.slice(0, 40)} is not a valid element name.`, start);
    if (openElements.length > limits.site.depth)
      throw new MarkupError(`Markup may have at most ${limits.site.depth} levels.`, start);
    const element: MarkupElement = { kind: 'element', name, attributes, children: [], ...start };
    add(element);
    openElements.push(element);
  };
  parser.onclosetag = () => {
    openElements.pop();
  };
  const addText = (text: string) => add({ kind: 'text', text, ...getPosition() });
  parser.ontext = addText;
  parser.oncdata = addText;
  return parser;
}

// The parser's type declarations omit its tables.
const { ENTITIES } = sax as unknown as { ENTITIES: Record<string, string> };
