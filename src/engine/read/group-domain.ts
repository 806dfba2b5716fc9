import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { isNumberField } from '../model/field.ts';
import { escapeLikePattern } from '../value/like-pattern.ts';
import type { Grouping } from './group-spec.ts';

// Domains that select exactly the records of a group, in the format of Odoo 19.

/**
 * Builds the domain for a group with a value.
 * @param leaf builds the condition on the last field of the path
 */
export const buildKeyDomain = ({ path }: Grouping, leaf: (name: string) => unknown[]): unknown[] =>
  path
    .slice(0, -1)
    .reduceRight<unknown[]>(
      (inner, { field }) => [[field.name, 'any', inner]],
      leaf(path.at(-1)!.field.name),
    );

export const buildStartDomain = (grouping: Grouping, start: string): unknown[] =>
  buildKeyDomain(grouping, (name) => [[name, '=like', `${escapeLikePattern(start)}%`]]);

/**
 * Matches records without a value: the value or a link in the path is unset, or the caller may not read a linked
 * record.
 */
export function buildEmptyDomain({ path }: Grouping): unknown[] {
  const { field } = path.at(-1)!;
  const links = path.slice(0, -1);
  // A number at the end of a path is never unset. It is missing only if a link in the path is unset.
  const unsetDomain = isNumberField(field) && links.length > 0 ? [] : [[field.name, '=', false]];
  return links.reduceRight<unknown[]>((inner, link) => addMissingLink(link.field.name, inner), unsetDomain);
}

function addMissingLink(link: string, inner: unknown[]): unknown[] {
  const missingLink = [link, 'not any', []];
  return inner.length > 0 ? ['|', missingLink, [link, 'any', inner]] : [missingLink];
}

/**
 * Limits the response size, because the response repeats the caller's domain for each group.
 * @throws USER_ERROR
 */
export function assertRepeatable(domain: unknown, groups: number): void {
  if (groups > 0 && JSON.stringify(domain ?? []).length * groups > limits.http.answerBytes)
    throw errors.answerTooLarge();
}
