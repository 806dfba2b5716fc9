export interface StoredNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: StoredNode[];
  marks?: StoredNode[];
  text?: string;
}

interface NodeSpec {
  attrs: readonly string[];
  holds?: 'inline' | 'blocks' | 'text';
}

const BLOCKS: Record<string, NodeSpec> = {
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

const INLINES: Record<string, NodeSpec> = {
  text: { attrs: [] },
  hardBreak: { attrs: [] },
  variable: { attrs: ['id', 'name', 'fallback'] },
};

const MARKS: Record<string, NodeSpec> = {
  bold: { attrs: [] },
  italic: { attrs: [] },
  underline: { attrs: [] },
  strike: { attrs: [] },
  code: { attrs: [] },
  textStyle: { attrs: ['color'] },
  link: { attrs: ['href'] },
};

const findSpec = (kinds: Record<string, NodeSpec>, type: string): NodeSpec | undefined =>
  Object.hasOwn(kinds, type) ? kinds[type] : undefined;

/** Parses a stored document, or returns null if the string is not a document. */
export function parseStoredDocument(text: string): StoredNode | null {
  try {
    const doc = JSON.parse(text) as StoredNode | null;
    return typeof doc === 'object' && doc?.type === 'doc' ? doc : null;
  } catch {
    return null;
  }
}

/**
 * Converts a stored document to the editor's schema. Preserves unknown nodes as read-only placeholders, and unknown
 * attributes in the attribute `rest`.
 */
export function toEditorDocument(doc: StoredNode): StoredNode {
  return { type: 'doc', content: (doc.content ?? []).map((block) => toEditorBlock(block)) };
}

const toForeignNode = (type: string, node: StoredNode): StoredNode => ({
  type,
  attrs: { json: JSON.stringify(node) },
});

function toEditorBlock(node: StoredNode): StoredNode {
  const kind = findSpec(BLOCKS, node.type);
  const content = node.content ?? [];
  if (!kind || (kind.holds !== 'blocks' && content.some(({ type }) => !isInline(type))))
    return toForeignNode('foreignBlock', node);
  const inside = content.map((item) =>
    kind.holds === 'blocks' ? toEditorBlock(item) : toEditorInline(item),
  );
  return { ...toShallowNode(node, kind), ...(inside.length > 0 && { content: inside }) };
}

/** An unknown node is inline if it is next to text. */
const isInline = (type: string): boolean => !findSpec(BLOCKS, type);

function toEditorInline(node: StoredNode): StoredNode {
  const kind = findSpec(INLINES, node.type);
  if (!kind || node.content) return toForeignNode('foreignInline', node);
  const marks = (node.marks ?? []).map((mark) => {
    const markSpec = findSpec(MARKS, mark.type);
    return markSpec ? toShallowNode(mark, markSpec) : toForeignNode('foreignMark', mark);
  });
  return {
    ...toShallowNode(node, kind),
    ...(node.text !== undefined && { text: node.text }),
    ...(marks.length > 0 && { marks }),
  };
}

function toShallowNode({ type, attrs = {} }: StoredNode, { attrs: specAttributes }: NodeSpec): StoredNode {
  const knownAttributes = Object.entries(attrs).filter(([name]) => specAttributes.includes(name));
  const rest = Object.entries(attrs).filter(([name]) => !specAttributes.includes(name));
  if (rest.length > 0) knownAttributes.push(['rest', JSON.stringify(Object.fromEntries(rest))]);
  return knownAttributes.length > 0 ? { type, attrs: Object.fromEntries(knownAttributes) } : { type };
}

export function fromEditorDocument(node: StoredNode): StoredNode {
  const { type, attrs = {}, content, marks, text } = node;
  if (/^foreign(?:Block|Inline|Mark)$/.test(type)) return JSON.parse(String(attrs.json)) as StoredNode;
  const { rest, ...known } = attrs;
  const storedAttributes = Object.entries(known).filter(([, value]) => value !== null && value !== undefined);
  const attributes = {
    ...Object.fromEntries(storedAttributes),
    ...(typeof rest === 'string' && JSON.parse(rest)),
  };
  return {
    type,
    ...(Object.keys(attributes).length > 0 && { attrs: attributes }),
    ...(content && { content: content.map(fromEditorDocument) }),
    ...(marks && { marks: marks.map(fromEditorDocument) }),
    ...(text !== undefined && { text }),
  };
}
