import type { ScannedPart } from './scan.ts';

/** Parts of a message to display as plain text or as HTML, and its attachments (RFC 8621 4.1.4). */
export interface BodyParts {
  /** Parts to read as plain text, in order. Includes HTML without an alternative. */
  text: ScannedPart[];
  /** Parts to display as HTML, in order. Includes plain text without an alternative. */
  html: ScannedPart[];
  attachments: ScannedPart[];
}

interface PartNode {
  part: ScannedPart;
  children: PartNode[];
}

export function findBodyParts(parts: ScannedPart[]): BodyParts {
  const body: BodyParts = { text: [], html: [], attachments: [] };
  const root = buildTree(parts);
  if (root) sortParts(body, [root], 'mixed', false);
  return body;
}

function buildTree(parts: ScannedPart[]): PartNode | undefined {
  const nodes = new Map<string, PartNode>();
  for (const part of parts) {
    const node: PartNode = { part, children: [] };
    if (nodes.size > 0) nodes.get(getParentPath(part.path))?.children.push(node);
    nodes.set(part.path, node);
  }
  return nodes.values().next().value;
}

const getParentPath = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), 0));

/**
 * @param kind subtype of the multipart that contains the nodes
 * @param isChoice true inside a `multipart/alternative`
 */
function sortParts(body: BodyParts, nodes: PartNode[], kind: string, isChoice: boolean): void {
  const before = { text: body.text.length, html: body.html.length };
  for (const [index, { part, children }] of nodes.entries()) {
    if (children.length > 0) {
      const own = part.type.slice('multipart/'.length);
      sortParts(body, children, own, isChoice || own === 'alternative');
    } else if (isTextBody(part, index, kind)) {
      if (!isChoice || part.type === 'text/plain') body.text.push(part);
      if (!isChoice || part.type === 'text/html') body.html.push(part);
    } else if (!isEmptyMultipart(part)) body.attachments.push(part);
  }
  if (kind !== 'alternative') return;
  const text = body.text.slice(before.text);
  if (text.length === 0) body.text.push(...body.html.slice(before.html));
  if (body.html.length === before.html) body.html.push(...text);
}

const isTextBody = (part: ScannedPart, index: number, kind: string): boolean =>
  (part.type === 'text/plain' || part.type === 'text/html') &&
  part.disposition !== 'attachment' &&
  (index === 0 || (kind !== 'related' && part.filename === null));

const isEmptyMultipart = ({ type, size }: ScannedPart): boolean =>
  type.startsWith('multipart/') && size === 0;
