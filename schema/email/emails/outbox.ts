import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { OutboxMessage } from '../../../src/email/local.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { isInBoundDomain } from '../kit/bound-domain.ts';
import { loadJsonList } from '../kit/json-list.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { resolveRecordsById } from '../kit/resolve-records.ts';
import { recordEvents } from '../state/email-events.ts';
import type { EmailStatus } from '../state/email-status.ts';
import { moveEmails } from '../state/move-emails.ts';

const MAX_OUTBOX_SOURCE_BYTES = 64 * 1024;

defineModel('svc.outbox', {
  group: 'data',
  display: 'email_id',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  team: 'r',
  boundBy: 'email_id.domain_id',
  own: () => [['email_id.mailbox_id', '=', false]],
  graph: {
    type: 'OutboxMessage',
    one: 'outboxMessage',
    many: 'outboxMessages',
    names: { create_date: 'keptAt' },
    policy: TEAM_READ_POLICY,
    writes: false,
  },
  computed: {
    source: {
      type: 'text',
      label: 'Source',
      help: `The message as it would have been sent, truncated to ${MAX_OUTBOX_SOURCE_BYTES} bytes.`,
      // The encoding of a message can split the credentials of its links.
      masked: true,
      sql: (row) => buildSourceSql(row),
    },
    is_cut: {
      type: 'boolean',
      label: 'Cut',
      help: 'True if the source is truncated.',
      sql: (row) => buildIsTruncatedSql(row),
    },
  },
});

const MAX_SOURCE_BYTES = sql.literal(MAX_OUTBOX_SOURCE_BYTES);

const buildSourceSql = (row: Sql): Sql =>
  sql`convert_from(substring(${row}.raw from 1 for ${MAX_SOURCE_BYTES}), 'LATIN1')`;
const buildIsTruncatedSql = (row: Sql): Sql => sql`octet_length(${row}.raw) > ${MAX_SOURCE_BYTES}`;

/**
 * Stores a message that the local transport "sends". Saves the message, the email's state and its events in one
 * transaction, so that a crash cannot leave only some of them.
 */
export async function storeOutboxMessage(
  { db, config }: Pick<Runtime, 'db' | 'config'>,
  message: OutboxMessage,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [email] = await tx.rows<{ workspace_id: number; id: number }>(
      moveEmails('keepMessage', {
        to: 'sent',
        set: sql`provider_id = ${message.providerId}, sent_at = now(), reason = ${message.reason ?? null}`,
        condition: sql`m.workspace_id = ${Number(message.tags?.workspace)} and m.public_id = ${message.emailId}`,
        returning: sql`m.workspace_id, m.id`,
      }),
    );
    if (!email) return;
    const [id] = await db.idAllocator.allocate(email.workspace_id, 'svc_outbox', 1);
    await tx.rows(
      sql`insert into svc_outbox (workspace_id, id, email_id, recipients, raw)
       values (${email.workspace_id}, ${id}, ${email.id}, ${message.recipients}, ${message.raw})`,
    );
    await recordEvents(
      tx,
      config,
      message.events.map((event) => ({
        workspaceId: email.workspace_id,
        emailId: email.id,
        status: event.type as EmailStatus,
        data: event.data,
      })),
    );
  });
}

export const outbox = defineOperation('outbox', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns the newest messages that the local transport stored instead of sending, with the start of their source.',
  args: (arg) => ({
    emailId: arg.id({ description: 'Only messages of this email.' }),
    limit: arg.int({ defaultValue: 50, description: 'Maximum number of messages, up to 200.' }),
  }),
  type: [getRecordRef('svc.outbox')],
  run: (ctx, { emailId, limit }) =>
    loadJsonList(
      ctx.db,
      sql`select o.id, e.public_id as "emailId", e."from", o.recipients, e.subject, e.latest_status as "latestStatus",
           ${toIsoSql(sql`o.create_date`)} as "keptAt", ${buildIsTruncatedSql(sql`o`)} as "isCut",
           ${buildSourceSql(sql`o`)} as source
       ${buildNewestSql(ctx, emailId, limit)}`,
    ),
  // Reads only the requested fields, because the source is large.
  async read(ctx, { emailId, limit }, info) {
    const rows = await ctx.db.rows<{ id: number }>(sql`select o.id ${buildNewestSql(ctx, emailId, limit)}`);
    const ids = rows.map(({ id }) => id);
    return resolveRecordsById(ctx, 'svc.outbox', ids, info);
  },
});

const buildNewestSql = (
  ctx: Ctx,
  emailId: string | number | null | undefined,
  limit: number | null | undefined,
): Sql =>
  sql`from svc_outbox o join svc_email e on e.workspace_id = ${ctx.workspace.id} and e.id = o.email_id
    where o.workspace_id = ${ctx.workspace.id} and e.mailbox_id is null
      and ${isInBoundDomain(ctx, sql`e.domain_id`)}
      and (${emailId ?? null}::text is null or e.public_id = ${emailId ?? null})
    order by o.id desc limit ${Math.min(200, Math.max(1, limit ?? 50))}`;
