import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { readBody, UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { createUnauthenticatedCtx, getRequestId, toPublicError } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';

const PATH = '/api/ses_callback';

/**
 * Receives SES events from Amazon SNS. Responds with 200 once the notification is stored, or with 4xx if it will never
 * be accepted. SNS retries after a 5xx. GET only shows that the endpoint exists.
 */
export function createSesFacade(runtime: Runtime): Hono {
  const app = new Hono();
  app.get(PATH, (c) => {
    c.header('x-request-id', getRequestId(c.req.raw.headers));
    return c.json({ data: 'Hello' });
  });
  app.post(PATH, async (c) => {
    const requestId = getRequestId(c.req.raw.headers);
    c.header('x-request-id', requestId);
    try {
      const { bytes: body } = await readBody(c.req.raw, {
        maxBytes: limits.sns.body,
        owner: UNAUTHENTICATED_OWNER,
      });
      const ctx = createUnauthenticatedCtx(runtime, 'web', requestId, { kind: 'SIGNED' });
      await call(ctx, 'snsMessageReceive', { body });
      return c.json({ data: 'Success' });
    } catch (error) {
      const { kind, message, status } = toPublicError(runtime, error, requestId);
      return c.json({ error: { code: kind, message } }, status as 400);
    }
  });
  return app;
}
