import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { readBody, UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { createUnauthenticatedCtx, getRequestId, toPublicError } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { parseRelayEnvelope } from './relay-envelope.ts';

const PATH = '/mail/inbound';

/**
 * Used instead of a workspace id, so that the relay gets the same share of memory for request bodies as a workspace.
 */
const RELAY_OWNER = -1;

/**
 * Receives mailbox messages from a relay, or from SES through Amazon SNS notifications. Responds with 200 once a
 * message is stored, or with 4xx if it will never be accepted. The sender retries after a 5xx.
 */
export function createInboundFacade(runtime: Runtime): Hono {
  const app = new Hono();
  app.post(PATH, (c) => withErrorResponse(c, runtime, () => receiveRelayedMessage(c, runtime)));
  app.post(`${PATH}/ses`, (c) =>
    withErrorResponse(c, runtime, async () => {
      const { bytes: body } = await readBody(c.req.raw, {
        maxBytes: limits.sns.body,
        owner: UNAUTHENTICATED_OWNER,
      });
      await call(createAnonymousCtx(c, runtime), 'mailSesReceive', { body });
      return c.json({ data: 'Success' });
    }),
  );
  return app;
}

const createAnonymousCtx = (c: Context, runtime: Runtime) =>
  createUnauthenticatedCtx(runtime, 'web', getRequestId(c.req.raw.headers), { kind: 'SIGNED' });

async function withErrorResponse(
  c: Context,
  runtime: Runtime,
  run: () => Promise<Response>,
): Promise<Response> {
  const requestId = getRequestId(c.req.raw.headers);
  c.header('x-request-id', requestId);
  try {
    return await run();
  } catch (error) {
    const { kind, message, status } = toPublicError(runtime, error, requestId);
    return c.json({ error: { code: kind, message } }, status as 400);
  }
}

async function receiveRelayedMessage(c: Context, runtime: Runtime): Promise<Response> {
  // The signature covers the message's hash, so it is verified before the message is read.
  const mail = parseRelayEnvelope(c.req.raw, runtime.config);
  const { bytes: body } = await readBody(c.req.raw, {
    maxBytes: limits.mail.messageBytes,
    owner: RELAY_OWNER,
  });
  const response = await call(createAnonymousCtx(c, runtime), 'mailRelayReceive', { ...mail, body });
  const recipients = response as { address: string; outcome: string }[];
  const outcomes = new Set(recipients.map(({ outcome }) => outcome));
  return c.json({ recipients }, outcomes.has('accepted') ? 200 : getFailureStatus(outcomes));
}

function getFailureStatus(outcomes: ReadonlySet<string>): 404 | 413 | 507 {
  if (outcomes.has('full')) return 507;
  return outcomes.has('over') ? 413 : 404;
}
