import { type GraphQLInputType, getNamedType, isListType, isNonNullType } from 'graphql';
import { errors } from '../../errors.ts';
import { INT_MAX } from '../value/number.ts';

/**
 * Values as classic clients send them: false means absent (so does '' for anything but text), one id a list of one,
 * "5" the number 5.
 * @throws BAD_VALUE
 */
export function lenient(type: GraphQLInputType, value: unknown, name: string): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return listOf(inner.ofType, value, name);
  const kind = getNamedType(inner).name;
  if (kind === 'JSON') return value;
  if (kind === 'Boolean') return toBoolean(value, name);
  if (isAbsent(value) || (value === '' && kind !== 'String')) {
    return isNonNullType(type) ? wrong(name) : undefined;
  }
  if (kind === 'Int') return integer(value, name);
  if (kind === 'String' && typeof value !== 'string')
    throw errors.badValue(`Wrong value for the argument '${name}': text is needed`);
  return value;
}

const isAbsent = (value: unknown): boolean => value === false || value === null || value === undefined;

function toBoolean(value: unknown, name: string): boolean | null {
  if (value === '') return null;
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  return value === 0 || value === 1 ? value === 1 : wrong(name);
}

function listOf(item: GraphQLInputType, value: unknown, name: string): unknown {
  if (isAbsent(value) || value === '') return undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) =>
    typeof entry === 'boolean' ? wrong(name) : (lenient(item, entry, name) ?? wrong(name)),
  );
}

function wrong(name: string): never {
  throw errors.badValue(`Wrong value for the argument '${name}'`);
}

function integer(value: unknown, name: string): number {
  const number =
    value === true ? 1 : typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return wrong(name);
  if (Math.abs(number) <= INT_MAX) return number;
  // No record has such a number, and asking for it is no mistake.
  return name === 'ids' ? INT_MAX : wrong(name);
}
