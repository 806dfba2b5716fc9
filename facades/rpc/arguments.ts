import { isObject } from '../../src/json.ts';
import { refusals } from './refusals.ts';

// `method` is what a refusal says was called.

/** A text among named params. */
export function textOf(params: Record<string, unknown>, name: string, method: string): string {
  const value = params[name];
  if (value === undefined) throw refusals.missingParam(name);
  return text(value, name, method);
}

export function text(value: unknown, name: string, method: string): string {
  if (typeof value !== 'string') throw refusals.argumentType(method, name, 'a string');
  return value;
}

/** Lists and structs are alike in some clients' languages, so an empty one of the other sort is none. */
export function listOf(value: unknown, method: string): unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  if (!isEmpty(value)) throw refusals.argumentType(method, 'args', 'a list');
  return [];
}

/** As `listOf`, of the named arguments. */
export function structOf(value: unknown, method: string, name: string): Record<string, unknown> {
  if (value === undefined || isEmpty(value)) return {};
  if (!isObject(value)) throw refusals.argumentType(method, name, 'a struct');
  return value;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
