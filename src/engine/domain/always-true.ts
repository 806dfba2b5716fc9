import { type Field, isAlwaysSet, isTextField } from '../model/field.ts';
import type { DomainNode } from './node.ts';

/** Returns true if the condition matches every record, whatever values the record has. */
export const isAlwaysTrue = (node: DomainNode): boolean => findConstant(node) === true;

/** Returns the condition's result if it is the same for every record, or else null. */
function findConstant(node: DomainNode): boolean | null {
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'not': {
      const value = findConstant(node.item);
      return value === null ? null : !value;
    }
    case 'and':
    case 'or': {
      const deciding = node.kind === 'or';
      const values = node.items.map(findConstant);
      if (values.includes(deciding)) return deciding;
      return values.includes(null) ? null : !deciding;
    }
    case 'column':
      return findColumnConstant(node);
    case 'exists':
      return findConstant(node.where) === false ? false : null;
    default:
      return null;
  }
}

function findColumnConstant({ field, operator, value }: DomainNode & { kind: 'column' }): boolean | null {
  if (operator === 'in' || operator === 'not in') {
    const values = value as unknown[];
    if (values.every((item) => isImpossible(field, item))) return operator === 'not in';
    return listsEveryOption(field, values) ? operator === 'in' : null;
  }
  // Unset text is compared like an empty string, which comes before all others.
  if (value !== '' || !isTextField(field)) return null;
  if (operator === '>=') return true;
  if (operator === '<') return false;
  if (!isNeverUnset(field)) return null;
  return operator === '>' ? true : operator === '<=' ? false : null;
}

/** Text with a default may be an empty string, which counts as unset. Options are never empty. */
export const isNeverUnset = (field: Field): boolean =>
  isAlwaysSet(field) && !(field.hasDefault && isTextField(field) && field.type !== 'selection');

const isImpossible = (field: Field, value: unknown): boolean =>
  value === null ? isNeverUnset(field) : value === 0 && (field.name === 'id' || field.type === 'many2one');

const listsEveryOption = (field: Field, values: unknown[]): boolean =>
  isAlwaysSet(field) && field.selection?.every(([option]) => values.includes(option)) === true;
