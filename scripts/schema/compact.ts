import { type ASTNode, Kind, type NameNode, parse, print, stripIgnoredCharacters, visit } from 'graphql';

const LISTS = [
  'definitions',
  'fields',
  'arguments',
  'values',
  'interfaces',
  'types',
  'locations',
  'directives',
];

/**
 * Compacts SDL: removes descriptions, sorts by name, and writes one line per definition. Keeps the fields' policies.
 */
export function toCompactSdl(sdl: string): string {
  const sortedNode = visit(parse(sdl, { noLocation: true }), { leave: (node) => sortNode(node) });
  return sortedNode.definitions.map((node) => `${stripIgnoredCharacters(print(node))}\n`).join('');
}

function sortNode<Node extends ASTNode>(node: Node): Node {
  // Lists are not sorted, because their order is significant.
  if (node.kind === Kind.LIST) return node;
  const result: Record<string, unknown> = { ...node };
  delete result.description;
  for (const list of LISTS)
    if (Array.isArray(result[list])) result[list] = (result[list] as ASTNode[]).toSorted(compareNames);
  return result as unknown as Node;
}

function compareNames(a: ASTNode, b: ASTNode): number {
  const [left, right] = [getNodeName(a), getNodeName(b)];
  return left < right ? -1 : Number(left > right);
}

/** A directive location is itself a name node. */
function getNodeName(node: ASTNode): string {
  const name = 'name' in node ? node.name : node;
  return (name as NameNode | undefined)?.value ?? '';
}
