import { type Field, isAlwaysSet, isTextField, VERSION_FIELD } from '../model/field.ts';
import { and, type DomainNode, FALSE, mergeLinks, not, oneOf, or } from './node.ts';

/** Maximum number of value combinations to test. Larger conditions count as restricting. */
const MAX_COMBINATIONS = 1_024;

/**
 * Returns true if the condition matches every record, whatever values the record has. Conditions on several fields may
 * be too large to decide.
 */
export function isAlwaysTrue(condition: DomainNode): boolean {
  const node = simplify(condition);
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'and':
      return node.items.every(isAlwaysTrue);
    case 'or':
      return (
        node.items.some(isAlwaysTrue) || hasComplements(listAlternatives(node)) || !hasCounterexample(node)
      );
    default:
      return !hasCounterexample(node);
  }
}

/** Moves negations to the parts, and replaces conditions on related records that none or all of them meet. */
function simplify(node: DomainNode): DomainNode {
  if (node.kind === 'exists') return simplifyExists(node);
  if (node.kind !== 'not') return node;
  const item = simplify(node.item);
  if (item.kind === 'and') return or(item.items.map(not));
  return item.kind === 'or' ? and(item.items.map(not)) : not(item);
}

function simplifyExists(node: DomainNode & { kind: 'exists' }): DomainNode {
  if (isAlwaysTrue(not(node.where))) return FALSE;
  const isAnyRecord =
    node.field.type === 'many2one' && !node.ruled && !node.active && isAlwaysTrue(node.where);
  return isAnyRecord ? not(oneOf(node.field, [null])) : node;
}

function listAlternatives(condition: DomainNode): DomainNode[] {
  const node = simplify(condition);
  return node.kind === 'or' ? node.items.flatMap(listAlternatives) : [node];
}

/** Returns true if the alternatives for a single field, or a part and its negation, cover all records. */
function hasComplements(items: readonly DomainNode[]): boolean {
  const alternatives = new Map<Field | string, DomainNode[]>();
  for (const item of mergeLinks('or', items).map(simplify)) {
    const { columns, parts } = collectAtoms(item);
    const [atom] = [...columns.keys(), ...new Set(parts.values())];
    if (columns.size + parts.size === 1) alternatives.set(atom!, [...(alternatives.get(atom!) ?? []), item]);
  }
  return [...alternatives.values()].some((group) => !hasCounterexample(or(group)));
}

// A condition is always true if it holds for each combination of values that its parts can tell apart: the constants
// that it compares a field with, a value between and beyond them, and no value. Other parts, such as conditions on
// related records, can be true or false.

/** A value greater than the constant `above`, and less than the next constant. */
interface Between {
  above: string | number | null;
}

/** A field's value, or whether another part is true. */
type AtomValue = string | number | boolean | null | Between;

type ColumnNode = DomainNode & { kind: 'column' };

interface Atoms {
  columns: Map<Field, ColumnNode[]>;
  /** Keys of the other parts. Equal parts have equal keys. */
  parts: Map<DomainNode, string>;
}

type Assignment = Map<Field | string, AtomValue>;

function hasCounterexample(node: DomainNode): boolean {
  const { columns, parts } = collectAtoms(node);
  const atoms: [Field | string, AtomValue[]][] = [...new Set(parts.values())].map((key) => [
    key,
    [true, false],
  ]);
  for (const [field, comparisons] of columns) {
    const values = listValues(field, comparisons);
    if (!values) return true;
    atoms.push([field, values]);
  }
  if (atoms.reduce((product, [, values]) => product * values.length, 1) > MAX_COMBINATIONS) return true;
  const assignment: Assignment = new Map();
  const isRefuted = ([atom, ...others]: typeof atoms): boolean =>
    atom
      ? atom[1].some((value) => {
          assignment.set(atom[0], value);
          return isRefuted(others);
        })
      : !holds(node, assignment, parts);
  return isRefuted(atoms);
}

function collectAtoms(node: DomainNode, atoms: Atoms = { columns: new Map(), parts: new Map() }): Atoms {
  if (node.kind === 'not') return collectAtoms(node.item, atoms);
  if (node.kind === 'and' || node.kind === 'or') for (const item of node.items) collectAtoms(item, atoms);
  else if (isComparison(node))
    atoms.columns.set(node.field, [...(atoms.columns.get(node.field) ?? []), node]);
  else if (node.kind !== 'const') atoms.parts.set(node, buildKey(node));
  return atoms;
}

const RANGE_OPERATORS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const SCALAR_TYPES: ReadonlySet<Field['type']> = new Set([
  ...(['char', 'text', 'html', 'selection', 'reference', 'integer', 'float', 'monetary'] as const),
  ...(['boolean', 'date', 'datetime', 'many2one', 'many2one_reference'] as const),
]);

const isComparison = (node: DomainNode): node is ColumnNode =>
  node.kind === 'column' &&
  (SCALAR_TYPES.has(node.field.type) || isUnsetTest(node)) &&
  (node.operator === 'in' || node.operator === 'not in' || RANGE_OPERATORS.has(node.operator));

const isUnsetTest = ({ value }: ColumnNode): boolean => [value].flat().every((item) => item === null);

const buildKey = (node: DomainNode): string =>
  JSON.stringify(node, (name, value) =>
    NAMED_MEMBERS.has(name) && value !== null ? (value as { name: string }).name : value,
  );

const NAMED_MEMBERS: ReadonlySet<string> = new Set(['field', 'model', 'parent']);

/**
 * Lists values that represent all values of the field. Null if they cannot be listed, because only PostgreSQL knows the
 * order of texts.
 */
function listValues(field: Field, comparisons: ColumnNode[]): AtomValue[] | null {
  if (field.type === 'boolean') return [true, false];
  const unset = isNeverUnset(field) ? [] : [null];
  if (field.type === 'selection' && field.selection)
    return [...field.selection.map(([option]) => option), ...unset];
  const operands = comparisons.flatMap(({ value }) => value as string | number | null);
  const constants = [...new Set(operands)]
    .filter(
      (value) => value !== null && value !== '' && !(typeof value === 'number' && isTooLow(field, value)),
    )
    .sort((a, b) => (a! < b! ? -1 : 1)) as (string | number)[];
  const isRange = comparisons.some(({ operator }) => RANGE_OPERATORS.has(operator));
  if (isTextField(field) && isRange && constants.length > 1) return null;
  const gaps = constants.filter((value, index) => {
    const next = constants[index + 1];
    return !(isWholeNumber(field) && typeof value === 'number' && next === value + 1);
  });
  const hasLower = typeof constants[0] !== 'number' || !isTooLow(field, constants[0] - 1);
  return [
    ...constants,
    ...(hasLower ? [{ above: null }] : []),
    ...gaps.map((above) => ({ above })),
    ...unset,
  ];
}

/** Ids and versions start at 1. */
const isTooLow = ({ name, type }: Field, value: number): boolean =>
  value < 1 && (name === 'id' || name === VERSION_FIELD || type === 'many2one');

const isWholeNumber = ({ type }: Field): boolean => type === 'integer' || type === 'many2one';

function holds(node: DomainNode, assignment: Assignment, parts: Atoms['parts']): boolean {
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'not':
      return !holds(node.item, assignment, parts);
    case 'and':
      return node.items.every((item) => holds(item, assignment, parts));
    case 'or':
      return node.items.some((item) => holds(item, assignment, parts));
    default:
      return isComparison(node)
        ? matches(node, assignment.get(node.field)!)
        : assignment.get(parts.get(node)!) === true;
  }
}

function matches({ field, operator, value: operand }: ColumnNode, value: AtomValue): boolean {
  if (operator === 'in' || operator === 'not in')
    return (operand as unknown[]).includes(value) === (operator === 'in');
  // Unset text is compared like an empty string, which comes before all others.
  const order = compare(field, value === null && isTextField(field) ? '' : value, operand as string | number);
  if (order === null) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

/** Returns null if the value is not set. */
function compare(field: Field, value: AtomValue, operand: string | number): number | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value !== 'object') return value < operand ? -1 : value > operand ? 1 : 0;
  if (typeof operand === 'number' ? isTooLow(field, operand) : operand === '') return 1;
  return value.above !== null && value.above >= operand ? 1 : -1;
}

/** Text with a default may be an empty string, which counts as unset. Options are never empty. */
export const isNeverUnset = (field: Field): boolean =>
  isAlwaysSet(field) && !(field.hasDefault && isTextField(field) && field.type !== 'selection');
