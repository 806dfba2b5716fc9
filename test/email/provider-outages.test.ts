import { expect, test } from 'vitest';
import { startDelivery } from '../../schema/email/queue/deliver.ts';
import type { SendOutcome, Transport } from '../../src/email/transport.ts';
import { setUpApp } from '../harness/app.ts';
import { sendEmails, untilEmail, updateEmail } from './sending.ts';

const app = setUpApp();

test('logs a provider outage once, instead of once per email', async () => {
  const lines: string[] = [];
  const say = (level: string) => (facts: object | string, text?: string) =>
    void lines.push(`${level}: ${typeof facts === 'string' ? facts : `${text}, ${JSON.stringify(facts)}`}`);
  const log = Object.assign(Object.create(app.runtime.log), { warn: say('warn'), info: say('info') });
  let outcome: SendOutcome = {
    kind: 'throttled',
    scope: 'unreachable',
    retryAfterMs: 100,
    reason: 'ESOCKET: refused',
  };
  const transport: Transport = {
    name: 'smtp',
    send: async () => outcome,
    limits: async () => null,
    close: async () => {},
  };
  const worker = startDelivery({ ...app.runtime, log }, transport);
  const ids = await sendEmails(app, app.main, {}, 3);
  for (const id of ids) await untilEmail(app, id, (row) => row.reason === 'ESOCKET: refused');
  expect(lines).toEqual([
    'warn: the mail provider is unreachable; emails stay queued, {"reason":"ESOCKET: refused"}',
  ]);
  outcome = { kind: 'sent', providerId: 'x' };
  for (const id of ids) await updateEmail(app, id, 'run_at = now()');
  for (const id of ids) await untilEmail(app, id, (row) => row.state === 'sent');
  await worker.stop();
  expect(lines.slice(1)).toEqual(['info: the mail provider is reachable again']);
});
