import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { VerbCall } from '../../src/engine/verb/verb.ts';
import { errors } from '../../src/errors.ts';

/** The structured content of a result, as JSON text that ends up in the answer untouched, and its `_count`. */
export interface Shaped {
  text: string;
  count: number;
}

/** A tool is data; dispatch lists and runs them all alike. */
export interface ToolSpec<Args, Result> {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12, kept to what draft-07 knows as well: some hosts read only that. */
  inputSchema: object;
  /** Without `additionalProperties: false`, so that a field can be added without breaking strict clients. */
  outputSchema: object;
  annotations: Annotations;
  scope: 'read' | 'write';
  /** The model's method that the audit line names; null where there is none. */
  method: string | null;
  /** The verb of the core that does the work, and its variables. */
  toVerb(args: Args): VerbCall;
  shape(result: Result): Shaped;
}

/** All four, always: some hosts take a missing hint for its worst value. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

// A registry of tools with different arguments and results: only the tool itself knows their types.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Tool = ToolSpec<any, any> & { validate: ValidateFunction };

/** Reads one workspace's records and changes nothing. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

// The first mistake is enough: a list of a million wrong values would otherwise make a million errors.
const ajv = new Ajv2020({ strict: false, allErrors: false, useDefaults: true });

export function defineTool<Args, Result>(spec: ToolSpec<Args, Result>): Tool {
  return { ...spec, validate: ajv.compile(spec.inputSchema) };
}

/**
 * The arguments with defaults filled in. null counts as not given: agents send it for what they leave out.
 * @throws BAD_VALUE naming the argument
 */
export function checkedArguments(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  if (tool.validate(args)) return args;
  throw errors.badValue(mistake(tool.validate));
}

function mistake({ errors: found }: ValidateFunction): string {
  const { instancePath, keyword, message, params } = found![0]!;
  if (keyword === 'required') return `The argument '${params.missingProperty}' is needed.`;
  if (keyword === 'additionalProperties') return `There is no argument '${params.additionalProperty}'.`;
  return `The argument '${instancePath.slice(1).replaceAll('/', '.')}' ${message}.`;
}
