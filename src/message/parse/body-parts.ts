import type { ScannedPart } from './scan.ts';

/** Body parts and attachments (RFC 8621 4.1.4). */
export interface BodyParts {
  /** Parts of the plain text, in order. Includes HTML without a plain alternative. */
  text: ScannedPart[];
  /** Parts of the HTML, in order. Includes plain text without an HTML alternative. */
  html: ScannedPart[];
  attachments: ScannedPart[];
  /** Parts whose content was unpacked into other parts. */
  containers: ScannedPart[];
}

interface PartNode {
  part: ScannedPart;
  children: PartNode[];
}

export function findBodyParts(parts: readonly ScannedPart[]): BodyParts {
  const body: BodyParts = { text: [], html: [], attachments: [], containers: [] };
  const root = buildTree(parts);
  const tnefBodies: ScannedPart[] = [];
  if (root) sortParts(body, [root], 'mixed', false, tnefBodies);
  const [tnefBody] = tnefBodies;
  if (tnefBody) addTnefBody(body, tnefBody);
  return body;
}

/** Maximum bytes of an empty text, which may contain line endings. */
const MAX_EMPTY_BYTES = 4;

/** Outlook sends plain text in the message, and formatted text only in TNEF. */
function addTnefBody(body: BodyParts, part: ScannedPart): void {
  const hasText = body.text.some(({ size }) => size > MAX_EMPTY_BYTES);
  if (!hasText) body.text.push(part);
  const isFormatted = body.html.length > 1 || body.html.some(({ type }) => type === 'text/html');
  if (part.type === 'text/html' && !isFormatted) body.html = [part];
  else if (!hasText) body.html.push(part);
}

function buildTree(parts: readonly ScannedPart[]): PartNode | undefined {
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
 * @param tnefBodies receives the texts of TNEF containers
 */
function sortParts(
  body: BodyParts,
  nodes: PartNode[],
  kind: string,
  isChoice: boolean,
  tnefBodies: ScannedPart[],
): void {
  const before = { text: body.text.length, html: body.html.length };
  for (const [index, { part, children }] of nodes.entries()) {
    if (children.length > 0) {
      const ownKind = getKind(part);
      if (ownKind === 'container') body.containers.push(part);
      sortParts(body, children, ownKind, isChoice || ownKind === 'alternative', tnefBodies);
    } else if (part.isTnefBody) tnefBodies.push(part);
    else if (isTextBody(part, index, kind)) {
      if (!isChoice || part.type === 'text/plain') body.text.push(part);
      if (!isChoice || part.type === 'text/html') body.html.push(part);
    } else if (!isEmptyMultipart(part)) body.attachments.push(part);
  }
  if (kind !== 'alternative') return;
  const text = body.text.slice(before.text);
  if (text.length === 0) body.text.push(...body.html.slice(before.html));
  if (body.html.length === before.html) body.html.push(...text);
}

const getKind = ({ type }: ScannedPart): string =>
  type.startsWith('multipart/') ? type.slice('multipart/'.length) : 'container';

const isTextBody = (part: ScannedPart, index: number, kind: string): boolean =>
  (part.type === 'text/plain' || part.type === 'text/html') &&
  part.disposition !== 'attachment' &&
  !part.isEncrypted &&
  (index === 0 || (kind !== 'related' && part.filename === null));

const isEmptyMultipart = ({ type, size }: ScannedPart): boolean =>
  type.startsWith('multipart/') && size === 0;
