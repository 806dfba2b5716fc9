import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Node } from './node.ts';

/**
 * What a row costs that is compared with these conditions, before the statement runs. The unit is the comparison of a
 * short column, about 50 ns (measured with 54,000 contacts, PostgreSQL 18). Rules are not counted.
 */
export function estimateCost(node: Node): number {
  switch (node.kind) {
    case 'const':
      return 0;
    case 'and':
    case 'or':
      return node.items.reduce((sum, item) => sum + estimateCost(item), 0);
    case 'not':
      return estimateCost(node.item);
    case 'column':
      return (LONG_TEXTS.has(node.field.type) ? LONG_TEXT : 1) * comparisonCost(node);
    case 'part':
      return DATE_PART * comparisonCost(node);
    case 'property':
      return PROPERTY * comparisonCost(node);
    case 'exists':
      return LINK + (node.field.type === 'many2one' ? 1 : ROWS_OF_LIST) * estimateCost(node.where);
    case 'tree':
      return TREE + node.tree.ids.length / HASHED + (node.tree.names ? estimateCost(node.tree.names) : 0);
    case 'follows':
    case 'held':
      return LINK;
  }
}

/** @throws BAD_VALUE beyond the limit */
export function checkCost(node: Node): void {
  const cost = Math.ceil(estimateCost(node));
  if (cost > limits.domain.cost) throw errors.costlyConditions(cost);
}

const LONG_TEXTS: ReadonlySet<string> = new Set(['text', 'html', 'json']);
const LONG_TEXT = 5;
const PATTERN = 4;
const DATE_PART = 4;
const PROPERTY = 3;
/** Of looking a linked record up. */
const LINK = 2;
/** Records of a list that are looked at, as a guess. */
const ROWS_OF_LIST = 3;
/** Of walking through a hierarchy. */
const TREE = 10;
/** Values of a list that PostgreSQL hashes cost as much as one comparison; of arrays each is compared. */
const HASHED = 1_000;
/** Characters of a text or pattern that cost as much as a short one. */
const SHORT = 100;

type Compared = Extract<Node, { operator: unknown }>;

function comparisonCost({ field, operator, value }: Compared): number {
  const values = Array.isArray(value) ? value.length : 1;
  if (operator === 'in' || operator === 'not in')
    return field.type === 'strings' ? values : 1 + values / HASHED;
  const length = typeof value === 'string' ? value.length : 0;
  return operator.endsWith('like') ? PATTERN * (1 + length / SHORT) : 1 + length / (SHORT * SHORT);
}
