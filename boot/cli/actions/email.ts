import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { version } from '../../../src/version.ts';
import { runAsWorkspace } from './run-as-workspace.ts';

export interface EmailOptions {
  workspace: string;
  from: string;
  to: string;
  subject?: string;
  text?: string;
}

const MAX_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 250;

/** Waits up to `MAX_WAIT_MS` for the delivery. */
export const runEmailSend = ({ workspace, from, to, subject = SUBJECT, text = TEXT }: EmailOptions) =>
  runAsWorkspace(workspace, async (ctx) => {
    await checkFrom(ctx, from);
    const id = await call(ctx, 'emailSend', { input: { from, to: [to], subject, text } });
    const deadline = Date.now() + MAX_WAIT_MS;
    let status = await getEmailStatus(ctx, id);
    while (status === WAITING && Date.now() < deadline) {
      await sleep(POLL_INTERVAL_MS);
      status = await getEmailStatus(ctx, id);
    }
    return { id, status, note: buildNote(ctx, status) };
  });

/** @throws BAD_REQUEST with the verified domains if the sender's domain is not verified */
async function checkFrom(ctx: Ctx, from: string): Promise<void> {
  const address = parseAddress(from)?.address;
  if (!address) return;
  const name = getAddressDomain(address);
  const domains = await ctx.db.rows<{ name: string; status: string }>(
    sql`select name, status from svc_domain where workspace_id = ${ctx.workspace.id}
     order by name <> ${name}, id limit 100`,
  );
  const verifiedDomains = domains.filter(({ status }) => status === 'SUCCESS').map((domain) => domain.name);
  if (verifiedDomains.includes(name)) return;
  const isKnown = domains.some((domain) => domain.name === name);
  const others =
    verifiedDomains.length > 0 ? ` Verified domains in this workspace: ${verifiedDomains.join(', ')}.` : '';
  throw errors.badRequest(
    `--from: the domain ${name} is not verified.${others} Run: npm run -s cli -- domain ` +
      `${isKnown ? 'verify' : 'add'} ${name} --workspace ${ctx.workspace.slug}`,
  );
}

function buildNote({ runtime: { config } }: Ctx, status: string): string | null {
  if (status === WAITING) return QUEUED;
  return config.mailTransport === 'local' ? OUTBOX_NOTE : null;
}

const SUBJECT = 'Test mail';
const TEXT = `This is a test email from Atrium ${version}.`;
const WAITING = 'QUEUED';
const OUTBOX_NOTE =
  "MAIL_TRANSPORT is local: the email is stored in the server's outbox (/dev/outbox) and is not sent.";
const QUEUED = 'A process with ROLE=all or ROLE=worker will send it.';

async function getEmailStatus(ctx: Ctx, id: string): Promise<string> {
  const email = (await call(ctx, 'emailRead', { id })).value<{ latestStatus: string }>();
  return email.latestStatus;
}
