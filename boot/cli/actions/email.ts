import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { version } from '../../../src/version.ts';
import { asWorkspace } from './as-workspace.ts';

export interface EmailOptions {
  workspace: string;
  from: string;
  to: string;
  subject?: string;
  text?: string;
}

/** Milliseconds for which the server is waited for, and between two looks. */
const PATIENCE = 10_000;
const PAUSE = 250;

/** Sends a test mail, and waits a moment until it has left. */
export const emailSend = ({ workspace, from, to, subject = SUBJECT, text = TEXT }: EmailOptions) =>
  asWorkspace(workspace, async (ctx) => {
    const id = await call(ctx, 'emailSend', { input: { from, to: [to], subject, text } });
    const until = Date.now() + PATIENCE;
    let status = await statusOf(ctx, id);
    while (status === WAITING && Date.now() < until) {
      await sleep(PAUSE);
      status = await statusOf(ctx, id);
    }
    return { id, status, note: status === WAITING ? QUEUED : null };
  });

const SUBJECT = 'Test mail';
const TEXT = `Atrium ${version} sent this mail as a test.`;
const WAITING = 'QUEUED';
const QUEUED = 'A server with the role all or worker sends it.';

async function statusOf(ctx: Ctx, id: string): Promise<string> {
  const email = (await call(ctx, 'emailRead', { id })).value<{ latestStatus: string }>();
  return email.latestStatus;
}
