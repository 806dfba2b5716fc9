import { errors } from '../../errors.ts';
import { parseRuleText, type RuleTerm } from './rule-text.ts';

/** Formats options as a Python list of pairs, as ir.model.fields does: `[('a', 'A')]`. */
export const formatSelection = (options: [string, string][]): string =>
  `[${options.map(([value, label]) => `(${toPythonString(value)}, ${toPythonString(label)})`).join(', ')}]`;

const toPythonString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;

/** Parses options in the format of `formatSelection`. @throws BAD_VALUE */
export function parseSelectionText(text: string): [string, string][] {
  const tree = parseRuleText(text);
  if (tree.kind !== 'list') throw buildOptionsError(text);
  return tree.items.map((item) => parsePair(item, text));
}

function parsePair(item: RuleTerm, text: string): [string, string] {
  const [value, label, ...rest] = item.kind === 'list' ? item.items : [];
  if (rest.length || value?.kind !== 'value' || label?.kind !== 'value') throw buildOptionsError(text);
  if (typeof value.value !== 'string' || typeof label.value !== 'string') throw buildOptionsError(text);
  return [value.value, label.value];
}

const buildOptionsError = (text: string): Error =>
  errors.badValue(`Invalid options ${text.slice(0, 80)}: must be a list such as [('a', 'A'), ('b', 'B')]`);
