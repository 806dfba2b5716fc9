import type { z } from '@hono/zod-openapi';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * Returns the error message of an issue, to append to the name of its field. Undefined if the schema defines its own
 * message.
 */
export function describeIssue(issue: Issue): string | undefined {
  const text = describeProblem(issue);
  return text && !issue.path?.length ? `the body ${text}` : text;
}

const KINDS: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
};

function describeProblem(issue: Issue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected];
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return describeMinimum(issue.origin, issue.minimum);
    case 'too_big':
      return describeMaximum(issue.origin, issue.maximum);
    default:
      return undefined;
  }
}

function describeMinimum(origin: string, minimum: number | bigint): string {
  if (origin === 'array') return `must have at least ${minimum} items`;
  if (origin !== 'string') return `must be at least ${minimum}`;
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
}

function describeMaximum(origin: string, maximum: number | bigint): string {
  if (origin === 'array') return `must have at most ${maximum} items`;
  return origin === 'string' ? `must have at most ${maximum} characters` : `must be at most ${maximum}`;
}
