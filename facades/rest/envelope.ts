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

const told = {
  code: z.string().openapi({ enum: CODES, description: 'RATE_LIMITED is never answered here.' }),
  message: z.string(),
};

const Failure = z.object({ error: z.object(told), ...told }).openapi('Error', {
  description: 'What went wrong, in `error`; code and message once more at the top for older clients.',
});

const REASONS: Record<number, string> = {
  400: 'The request is malformed, or a field is invalid or missing.',
  401: 'The key is missing or invalid.',
  403: 'The key is valid and not allowed to do this.',
  404: 'There is nothing there.',
  409: 'The Idempotency-Key was used with another body.',
  413: 'The body is too large.',
  500: 'An unexpected error; the message holds a reference.',
  503: 'The server is busy; try again.',
};

/** The responses of a route: its success and each refusal it can give. */
export function responses(description: string, schema: z.ZodType, ...refusals: number[]) {
  const content = { 'application/json': { schema: Failure } };
  const failures = [401, 403, 500, 503, ...refusals]
    .sort()
    .map((status) => [status, { description: REASONS[status]!, content }] as const);
  return {
    200: { description, content: { 'application/json': { schema } } },
    ...Object.fromEntries(failures),
  };
}

/** A JSON body that a route needs. */
export const jsonBody = (schema: z.ZodType) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** The security every route of the contract asks for. */
export const BEARER = [{ Bearer: [] as string[] }];
