import { z } from '@hono/zod-openapi';

const CODES = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_UNIQUE',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
];

const fields = {
  code: z
    .string()
    .openapi({ enum: CODES, description: 'Error code. `RATE_LIMITED` is reserved and never returned.' }),
  message: z.string().describe('Error message for developers.'),
};

const ErrorBody = z
  .object({ error: z.object(fields).describe('Code and message of the error.'), ...fields })
  .openapi('Error', {
    description: 'An error. For older clients, the code and message are repeated at the top level.',
  });

const REASONS: Record<number, string> = {
  400: 'The request is malformed, or a field is invalid or missing.',
  401: 'The key is missing or invalid.',
  403: 'The key is valid but not allowed to do this.',
  404: 'The resource does not exist.',
  409: 'Conflict: the resource exists already, or the Idempotency-Key was used with another body.',
  413: 'The body is too large.',
  500: 'Unexpected error. The message contains a reference to give to the operator.',
  503: 'The server is busy. Retry the request.',
};

/** A response schema, or a reference to one that an operation declares (see shape-references.ts). */
type ResponseSchema = z.ZodType | { $ref: string } | { type: 'array'; items: { $ref: string } };

export function buildResponses(description: string, schema: ResponseSchema, ...errors: number[]) {
  const content = { 'application/json': { schema: ErrorBody } };
  const failures = [401, 403, 500, 503, ...errors]
    .sort()
    .map((status) => [status, { description: REASONS[status]!, content }] as const);
  return {
    200: { description, content: { 'application/json': { schema } } },
    ...Object.fromEntries(failures),
  };
}
