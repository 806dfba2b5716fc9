/** A node or mark as it is stored. */
export interface Stored {
  type: string;
  attrs?: Record<string, unknown>;
  content?: Stored[];
  marks?: Stored[];
  text?: string;
}

/** What the editor knows of a kind of node: its attributes, and what stands within. */
interface Kind {
  attrs: readonly string[];
  holds?: 'inline' | 'blocks' | 'text';
}

const BLOCKS: Record<string, Kind> = {
  doc: { attrs: [], holds: 'blocks' },
  paragraph: { attrs: ['textAlign'], holds: 'inline' },
  heading: { attrs: ['level', 'textAlign'], holds: 'inline' },
  bulletList: { attrs: [], holds: 'blocks' },
  orderedList: { attrs: ['start', 'type'], holds: 'blocks' },
  listItem: { attrs: [], holds: 'blocks' },
  blockquote: { attrs: [], holds: 'blocks' },
  codeBlock: { attrs: ['language'], holds: 'text' },
  horizontalRule: { attrs: [] },
  spacer: { attrs: ['height'] },
  button: {
    attrs: [
      ...['text', 'url', 'alignment', 'buttonColor', 'textColor'],
      ...['borderColor', 'borderWidth', 'borderRadius'],
    ],
  },
  image: { attrs: ['src', 'alt', 'width', 'alignment', 'externalLink', 'href'] },
  logo: { attrs: ['src', 'alt', 'size', 'alignment'] },
  unsubscribeFooter: { attrs: [], holds: 'inline' },
};

const INLINES: Record<string, Kind> = {
  text: { attrs: [] },
  hardBreak: { attrs: [] },
  variable: { attrs: ['id', 'name', 'fallback'] },
};

const MARKS: Record<string, Kind> = {
  bold: { attrs: [] },
  italic: { attrs: [] },
  underline: { attrs: [] },
  strike: { attrs: [] },
  code: { attrs: [] },
  textStyle: { attrs: ['color'] },
  link: { attrs: ['href'] },
};

const own = (kinds: Record<string, Kind>, type: string): Kind | undefined =>
  Object.hasOwn(kinds, type) ? kinds[type] : undefined;

/** A document of the editor; null for a text that is none. Pure. */
export function storedOf(text: string): Stored | null {
  try {
    const doc = JSON.parse(text) as Stored | null;
    return typeof doc === 'object' && doc?.type === 'doc' ? doc : null;
  } catch {
    return null;
  }
}

/**
 * A stored document as the editor takes it. What it does not know is kept as it is: a node as one that cannot be
 * edited, further attributes in one of their own. Pure.
 */
export function toEditor(doc: Stored): Stored {
  return { type: 'doc', content: (doc.content ?? []).map((block) => blockIn(block)) };
}

const foreign = (type: string, node: Stored): Stored => ({ type, attrs: { json: JSON.stringify(node) } });

function blockIn(node: Stored): Stored {
  const kind = own(BLOCKS, node.type);
  const content = node.content ?? [];
  if (!kind || (kind.holds !== 'blocks' && content.some(({ type }) => !isInline(type))))
    return foreign('foreignBlock', node);
  const inside = content.map((each) => (kind.holds === 'blocks' ? blockIn(each) : inlineIn(each)));
  return { ...shell(node, kind), ...(inside.length > 0 && { content: inside }) };
}

/** Of what the editor does not know, only its place says what it is: beside texts it is inline. */
const isInline = (type: string): boolean => !own(BLOCKS, type);

function inlineIn(node: Stored): Stored {
  const kind = own(INLINES, node.type);
  if (!kind || node.content) return foreign('foreignInline', node);
  const marks = (node.marks ?? []).map((mark) => {
    const known = own(MARKS, mark.type);
    return known ? shell(mark, known) : foreign('foreignMark', mark);
  });
  return {
    ...shell(node, kind),
    ...(node.text !== undefined && { text: node.text }),
    ...(marks.length > 0 && { marks }),
  };
}

/** A node without what is in it. */
function shell({ type, attrs = {} }: Stored, { attrs: known }: Kind): Stored {
  const kept = Object.entries(attrs).filter(([name]) => known.includes(name));
  const rest = Object.entries(attrs).filter(([name]) => !known.includes(name));
  if (rest.length > 0) kept.push(['rest', JSON.stringify(Object.fromEntries(rest))]);
  return kept.length > 0 ? { type, attrs: Object.fromEntries(kept) } : { type };
}

/** The document as it is stored, from what the editor holds. Pure. */
export function fromEditor(node: Stored): Stored {
  const { type, attrs = {}, content, marks, text } = node;
  if (/^foreign(?:Block|Inline|Mark)$/.test(type)) return JSON.parse(String(attrs.json)) as Stored;
  const { rest, ...known } = attrs;
  const given = Object.entries(known).filter(([, value]) => value !== null && value !== undefined);
  const kept = { ...Object.fromEntries(given), ...(typeof rest === 'string' && JSON.parse(rest)) };
  return {
    type,
    ...(Object.keys(kept).length > 0 && { attrs: kept }),
    ...(content && { content: content.map(fromEditor) }),
    ...(marks && { marks: marks.map(fromEditor) }),
    ...(text !== undefined && { text }),
  };
}
