import { errors } from '../../src/errors.ts';
import { findNearest } from '../../src/find-nearest.ts';
import { isObject } from '../../src/json.ts';
import type { Tool } from './tool.ts';

interface ParsedArguments {
  args: Record<string, unknown>;
  ignored: readonly string[];
}

const MAX_LISTED_ARGUMENTS = 10;
const MAX_NAME_CHARS = 60;

/**
 * Reads the arguments of a call leniently: null counts as omitted, and a string that represents a number, boolean, list
 * or object is converted. A call that reads ignores unknown arguments, which some clients add.
 * @throws BAD_VALUE that names the argument
 */
export function readArguments(
  tool: Tool,
  rawArguments: Record<string, unknown>,
  isReading: boolean,
): ParsedArguments {
  const { properties = {} } = tool.inputSchema as { properties?: Record<string, unknown> };
  const knownNames = Object.keys(properties);
  const entries = Object.entries(rawArguments).filter(([, value]) => value !== null);
  const unknownNames = entries.map(([name]) => name).filter((name) => !knownNames.includes(name));
  rejectUnknownArguments(
    unknownNames,
    knownNames.filter((name) => (rawArguments[name] ?? null) === null),
    { knownNames, isReading },
  );
  const args = Object.fromEntries(
    entries
      .filter(([name]) => knownNames.includes(name))
      .map(([name, value]) => [
        name,
        CONFIRM_ARGUMENTS.has(name) ? value : convertValue(properties[name], value),
      ]),
  );
  return { args, ignored: unknownNames.map((name) => name.slice(0, MAX_NAME_CHARS)) };
}

/** Never converted, because a confirmation must be exact. */
const CONFIRM_ARGUMENTS: ReadonlySet<string> = new Set(['confirm', 'confirm_token']);

/** Rejects unknown arguments of calls that write, and likely misspellings of arguments that are missing. */
function rejectUnknownArguments(
  unknownNames: readonly string[],
  missingNames: readonly string[],
  { knownNames, isReading }: { knownNames: readonly string[]; isReading: boolean },
): void {
  for (const [index, name] of unknownNames.entries()) {
    if (index === MAX_LISTED_ARGUMENTS)
      throw errors.badValue(`The tool accepts only these arguments: ${knownNames.join(', ')}.`);
    const shortName = name.slice(0, MAX_NAME_CHARS);
    const suggestion = findNearest(shortName, missingNames, Math.min(2, Math.floor(shortName.length / 3)));
    if (suggestion || !isReading)
      throw errors.badValue(
        `Unknown argument '${shortName}'. ` +
          (suggestion
            ? `Did you mean ${suggestion}?`
            : `The tool accepts only these arguments: ${knownNames.join(', ')}.`),
      );
  }
}

/** Parses the arguments of a call that are sent as text, unless they contain a confirmation. */
export function parseArguments(rawArguments: unknown): unknown {
  const parsed = typeof rawArguments === 'string' ? parseJson('object', rawArguments) : rawArguments;
  const isConfirmed = isObject(parsed) && Object.keys(parsed).some((name) => CONFIRM_ARGUMENTS.has(name));
  return isConfirmed ? rawArguments : (parsed ?? {});
}

/**
 * Converts a string to the type in the schema if it represents a value of that type exactly. Other values are
 * unchanged.
 */
function convertValue(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  const { type, items, properties } = schema;
  const parsed = typeof value === 'string' ? parseText(type, value) : value;
  if (Array.isArray(parsed) && items) return parsed.map((item) => convertValue(items, item));
  if (!isObject(parsed) || !isObject(properties)) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, convertValue(properties[name], value)]),
  );
}

function parseText(type: unknown, text: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
    case 'object':
      return parseJson(type, text);
    default:
      return text;
  }
}

function parseJson(type: 'array' | 'object', text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return (type === 'array' ? Array.isArray(value) : isObject(value)) ? value : text;
  } catch {
    return text;
  }
}
