import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { DomainNode } from './node.ts';

/**
 * Estimates the cost of testing one row, before the statement runs. The unit is the comparison of a short column, which
 * takes about 50 ns (54,000 contacts, PostgreSQL 18). Record rules are not counted.
 */
function estimateCost(node: DomainNode): number {
  switch (node.kind) {
    case 'const':
      return 0;
    case 'and':
    case 'or':
      return node.items.reduce((sum, item) => sum + estimateCost(item), 0);
    case 'not':
      return estimateCost(node.item);
    case 'column':
      return (LONG_TEXT_TYPES.has(node.field.type) ? LONG_TEXT_COST : 1) * computeComparisonCost(node);
    case 'part':
      return DATE_PART_COST * computeComparisonCost(node);
    case 'property':
      return PROPERTY_COST * computeComparisonCost(node);
    case 'exists':
      return LINK_COST + (node.field.type === 'many2one' ? 1 : ASSUMED_LIST_ROWS) * estimateCost(node.where);
    case 'tree':
      return (
        TREE_COST +
        node.tree.ids.length / HASHED_VALUES_PER_COMPARISON +
        (node.tree.searched ? estimateCost(node.tree.searched) : 0)
      );
    case 'follows':
    case 'held':
      return LINK_COST;
  }
}

/** @throws BAD_VALUE if the cost exceeds the limit */
export function assertCost(node: DomainNode): void {
  const cost = Math.ceil(estimateCost(node));
  if (cost > limits.domain.cost) throw errors.costlyConditions(cost);
}

const LONG_TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'html', 'json']);
const LONG_TEXT_COST = 5;
const PATTERN_COST = 4;
const DATE_PART_COST = 4;
const PROPERTY_COST = 3;
const LINK_COST = 2;
const ASSUMED_LIST_ROWS = 3;
const TREE_COST = 10;
/**
 * Number of list values that cost as much as one comparison, because PostgreSQL hashes them. Values of an array column
 * are compared one by one.
 */
const HASHED_VALUES_PER_COMPARISON = 1_000;
/** Length at which a pattern costs twice as much as a short one. */
const SHORT_TEXT_CHARS = 100;

type ComparisonNode = Extract<DomainNode, { operator: unknown }>;

function computeComparisonCost({ field, operator, value }: ComparisonNode): number {
  const values = Array.isArray(value) ? value.length : 1;
  if (operator === 'in' || operator === 'not in')
    return field.type === 'strings' ? values : 1 + values / HASHED_VALUES_PER_COMPARISON;
  const length = typeof value === 'string' ? value.length : 0;
  return operator.endsWith('like')
    ? PATTERN_COST * (1 + length / SHORT_TEXT_CHARS)
    : 1 + length / (SHORT_TEXT_CHARS * SHORT_TEXT_CHARS);
}
