import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/verb/call.ts';
import { readBody, UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { createUnauthenticatedCtx, getRequestId, toPublicError } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';

const PATH = '/api/ses_callback';

/**
 * Where Amazon SNS posts what SES reports. Answers 200 once the notification is stored, 4xx if it will never be
 * accepted; after a 5xx it comes again. A GET only shows that somebody is there.
 */
export function sesDoor(runtime: Runtime): Hono {
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
      // The message proves its sender, and says which workspace it concerns.
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
