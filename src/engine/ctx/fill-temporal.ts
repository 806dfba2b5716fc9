import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import type { FillTemporal } from '../model/principal.ts';
import { isInstant } from '../value/instant.ts';

export function parseFillTemporal(option: unknown): FillTemporal | undefined {
  if (!option && !isObject(option)) return undefined;
  const { fill_from: from, fill_to: to, min_groups: min } = isObject(option) ? option : {};
  return { from: parseDay('fill_from', from), to: parseDay('fill_to', to), minGroups: parseMinGroups(min) };
}

function parseDay(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === false || value === '') return null;
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  if (!isInstant(day) || day.length < 10) throw errors.badValue(`fill_temporal: ${name} is not a date`);
  return day;
}

function parseMinGroups(value: unknown): number {
  if (value === undefined || value === null || value === false) return 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > limits.record.groups)
    throw errors.badValue(`fill_temporal: min_groups must be a number from 0 to ${limits.record.groups}`);
  return value;
}
