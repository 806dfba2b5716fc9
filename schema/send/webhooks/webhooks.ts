import { iso } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import type { Policy } from '../../../src/engine/verb/policy.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { jsonList } from '../kit/json-list.ts';
import { adminReads, adminWrites } from '../kit/policies.ts';
import { KINDS } from './kinds.ts';
import { isOpenHost } from './public-address.ts';
import { newSecret } from './sign.ts';

defineModel('svc.webhook', {
  display: 'url',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'Webhook', one: 'webhook', many: 'webhooks' },
});

export const changes = (audit: string): Policy => ({ ...adminWrites, audit });

verb('webhookList', {
  kind: 'query',
  policy: adminReads,
  description: 'The webhooks of the workspace, newest first.',
  args: () => ({}),
  run: (ctx) =>
    jsonList(
      ctx.db,
      sql`select id, url, description, event_types as "eventTypes", domain_ids as "domainIds", status, failures,
         ${iso(sql`last_success_at`)} as "lastSuccessAt", ${iso(sql`last_failure_at`)} as "lastFailureAt",
         ${iso(sql`create_date`)} as "createdAt", ${iso(sql`write_date`)} as "updatedAt"
       from svc_webhook where workspace_id = ${ctx.workspace.id} order by id desc`,
    ),
});

verb('webhookCreate', {
  kind: 'mutation',
  policy: changes('webhook.create'),
  description: `Makes a webhook and answers with its id and its secret, which signs its calls (see the client libraries' "webhooks.verify"). Kinds: ${KINDS.join(', ')}; none means all.`,
  args: (arg) => ({
    url: arg.string({ required: true }),
    description: arg.string(),
    eventTypes: arg.stringList(),
    domainIds: arg.intList(),
    secret: arg.string({ description: 'At least 16 characters; made when absent.' }),
  }),
  run: (ctx, { secret, ...given }) =>
    ctx.tx(async (tx) => {
      const signing = secret ?? newSecret();
      if (signing.length < 16 || signing.length > 200)
        throw errors.badRequest('secret: from 16 to 200 characters.');
      const wanted = await checked(tx, given);
      const user = tx.principal?.userId ?? null;
      const [row] = await tx.db.rows<{ id: number }>(
        sql`insert into svc_webhook
           (workspace_id, url, description, event_types, domain_ids, secret, create_uid, write_uid)
         select ${tx.workspace.id}, ${wanted.url}, ${wanted.description}, ${wanted.eventTypes ?? []}::text[],
           ${wanted.domainIds ?? []}::int[], ${signing}, ${user}::int, ${user}::int
         where (select count(*) from svc_webhook where workspace_id = ${tx.workspace.id}) < ${limits.webhook.perWorkspace}
         returning id`,
      );
      if (!row) throw errors.badRequest(`A workspace has at most ${limits.webhook.perWorkspace} webhooks.`);
      return { id: row.id, secret: signing };
    }),
});

const STATES = ['ACTIVE', 'PAUSED'];

verb('webhookUpdate', {
  kind: 'mutation',
  policy: changes('webhook.update'),
  description:
    'Changes what is given. The status PAUSED stops the calls: those that wait go on waiting, and of new events none are made; ACTIVE goes on, also after the webhook was disabled for its failures.',
  args: (arg) => ({
    id: arg.int({ required: true }),
    url: arg.string(),
    description: arg.string(),
    eventTypes: arg.stringList(),
    domainIds: arg.intList(),
    status: arg.string(),
  }),
  type: 'Boolean',
  run: (ctx, { id, status, ...given }) =>
    ctx.tx(async (tx) => {
      if (status && !STATES.includes(status)) throw errors.badRequest(`status: ${STATES.join(' or ')}.`);
      const { url, description, eventTypes, domainIds } = await checked(tx, given);
      const rows = await tx.db.rows(
        sql`update svc_webhook set url = coalesce(${url}, url), description = coalesce(${description}, description),
           event_types = coalesce(${eventTypes}, event_types), domain_ids = coalesce(${domainIds}, domain_ids),
           status = coalesce(${status ?? null}, status),
           failures = ${status === 'ACTIVE' ? sql`0` : sql`failures`},
           write_date = now(), write_uid = ${tx.principal?.userId ?? null}
         where workspace_id = ${tx.workspace.id} and id = ${id} returning id`,
      );
      return oneChanged(rows);
    }),
});

verb('webhookDelete', {
  kind: 'mutation',
  policy: changes('webhook.delete'),
  description: 'Deletes a webhook with its calls.',
  args: (arg) => ({ id: arg.int({ required: true }) }),
  type: 'Boolean',
  run: async (ctx, { id }) =>
    oneChanged(
      await ctx.db.rows(
        sql`delete from svc_webhook where workspace_id = ${ctx.workspace.id} and id = ${id} returning id`,
      ),
    ),
});

verb('webhookRotate', {
  kind: 'mutation',
  policy: changes('webhook.rotate'),
  description: `Gives a webhook a new secret and answers with it. For ${limits.webhook.secretHours} hours calls also carry X-UseSend-Signature-Previous, by the former secret.`,
  args: (arg) => ({ id: arg.int({ required: true }) }),
  async run(ctx, { id }) {
    const secret = newSecret();
    oneChanged(
      await ctx.db.rows(
        sql`update svc_webhook set old_secret = secret, secret = ${secret}, write_date = now(),
           old_until = now() + make_interval(hours => ${limits.webhook.secretHours})
         where workspace_id = ${ctx.workspace.id} and id = ${id} returning id`,
      ),
    );
    return { id, secret };
  },
});

verb('webhookSecret', {
  kind: 'query',
  policy: changes('webhook.secret'),
  description: 'The secret of a webhook.',
  args: (arg) => ({ id: arg.int({ required: true }) }),
  type: 'String',
  async run(ctx, { id }) {
    const [row] = await ctx.db.rows<{ secret: string }>(
      sql`select secret from svc_webhook where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
    if (!row) throw errors.notFound('Webhook');
    return row.secret;
  },
});

/** @throws NOT_FOUND */
function oneChanged(rows: unknown[]): true {
  if (rows.length === 0) throw errors.notFound('Webhook');
  return true;
}

interface Given {
  url?: string | null;
  description?: string | null;
  eventTypes?: string[] | null;
  domainIds?: number[] | null;
}

/** What is given, each null when it is not. */
interface Wanted {
  url: string | null;
  description: string | null;
  eventTypes: string[] | null;
  domainIds: number[] | null;
}

/** @throws BAD_REQUEST that names the field */
async function checked(ctx: Ctx, { url, description, eventTypes, domainIds }: Given): Promise<Wanted> {
  const unknown = eventTypes?.find((type) => !(KINDS as readonly string[]).includes(type));
  if (unknown !== undefined) throw errors.badRequest(`eventTypes: there is no ${unknown.slice(0, 100)}.`);
  if ((description?.length ?? 0) > 500) throw errors.badRequest('description: at most 500 characters.');
  const domains = domainIds && [...new Set(domainIds)];
  if (domains?.length) {
    const rows = await ctx.db.rows(
      sql`select id from svc_domain where workspace_id = ${ctx.workspace.id} and id = any(${domains})`,
    );
    if (rows.length < domains.length) throw errors.badRequest('domainIds: not all are domains of yours.');
  }
  const address = typeof url === 'string' ? checkedUrl(ctx, url) : null;
  return {
    url: address,
    description: description ?? null,
    eventTypes: eventTypes ? [...new Set(eventTypes)] : null,
    domainIds: domains ?? null,
  };
}

function checkedUrl(ctx: Ctx, text: string): string {
  if (text.length > limits.webhook.url || !URL.canParse(text))
    throw errors.badRequest('url: not an address such as https://example.com/hook.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw errors.badRequest('url: must begin with https:// or http://.');
  if (url.username || url.password) throw errors.badRequest('url: may hold no user and password.');
  if (!ctx.runtime.config.webhookAllowPrivate && !isOpenHost(url.hostname))
    throw errors.badRequest(
      'url: leads to an address that is not public; the operator allows such addresses with WEBHOOK_ALLOW_PRIVATE=1.',
    );
  return url.href;
}
