import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { unlink, write } from '../../src/engine/write/write.ts';
import { post, setUpApp } from '../harness/app.ts';
import { type JsonClient, json2 } from '../harness/facades/json2.ts';
import { createScene, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let admin: JsonClient;
let manager: Person;
beforeAll(async () => {
  admin = scene.admin;
  manager = await scene.addPerson('manager', [await scene.groupId('base.group_erp_manager')]);
});

const READ_ONLY = [
  'svc.audit.event',
  'svc.mcp.log',
  'svc.api.key',
  'res.users.apikeys',
  'res.users.log',
  'ir.module.module',
  'ir.module.module.dependency',
  'mail.tracking.value',
  'svc.domain',
  'svc.email',
  'svc.email.event',
  'svc.outbox',
  'svc.suppression',
  'svc.campaign',
  'svc.template.version',
  'svc.webhook',
  'svc.webhook.call',
];
const FOR_ADMINISTRATORS = [...READ_ONLY.filter((name) => name.startsWith('svc.')).slice(3)].concat([
  'svc.contact',
  'svc.contact.book',
  'svc.template',
]);

/** Inserts an access right without the checks of the API, as a bug or a database console could. */
async function smuggle(model: string, group: number | null, letters: string): Promise<void> {
  const flags = toFlags(letters);
  const { ctx } = app.main;
  await ctx.db.rows(
    sql`insert into ir_model_access (id, workspace_id, name, model_id, group_id, perm_create, perm_read, perm_write, perm_unlink)
     select nextval('ir_model_access_id_seq'), ${ctx.workspace.id}, 'smuggled', id, ${group}, ${flags.perm_create}, ${flags.perm_read}, ${flags.perm_write},
       ${flags.perm_unlink} from ir_model_stock where model = ${model}`,
  );
  app.runtime.identity.invalidate();
}

describe.each(READ_ONLY)('read-only model %s', (model) => {
  test.each(['w', 'c', 'u'])('accepts no access right with the operation %s', async (letter) => {
    const system = await scene.groupId('base.group_system');
    for (const caller of [admin, manager]) {
      const vals = {
        name: 'all',
        model_id: await scene.modelId(model),
        group_id: system,
        ...toFlags(letter),
      };
      const error = await caller.expectError(422, 'ir.model.access/create', { vals_list: [vals] });
      expect(error.message).toContain(`(${model}) can grant at most read`);
    }
  });

  test('rejects changes, even if a stored access right grants them', async () => {
    await smuggle(model, null, 'cwu');
    for (const caller of [admin, manager]) {
      await caller.expectError(403, `${model}/write`, { ids: [1], vals: {} });
      await caller.expectError(403, `${model}/create`, { vals_list: [{}] });
      await caller.expectError(403, `${model}/unlink`, { ids: [1] });
      expect(
        await caller.value(`${model}/check_access_rights`, { operation: 'write', raise_exception: false }),
      ).toBe(false);
    }
  });
});

describe('access rights on the audit trail and the tool log', () => {
  test('cannot be extended beyond the maximum rights', async () => {
    const [id] = await admin.value('ir.model.access/search', {
      domain: [
        ['model_id.model', '=', 'svc.audit.event'],
        ['name', '!=', 'smuggled'],
      ],
    });
    await admin.expectError(422, 'ir.model.access/write', { ids: [id], vals: { perm_unlink: true } });
    const otherId = await scene.grant(
      'res.partner.category',
      await scene.groupId('base.group_system'),
      'crwu',
    );
    const vals = { model_id: await scene.modelId('svc.mcp.log') };
    await admin.expectError(422, 'ir.model.access/write', { ids: [otherId], vals });
    expect((await admin.row('ir.model.access', otherId, ['model_id'])).model_id[1]).toContain('Tag');
  });

  test('can grant read access to a custom group', async () => {
    const auditors = await scene.addGroup('Auditors');
    const auditor = await scene.addPerson('auditor', [auditors]);
    await auditor.expectError(403, 'svc.audit.event/search_read', {});
    await scene.grant('svc.audit.event', auditors, 'r');
    expect(await auditor.value('svc.audit.event/search_count', { domain: [] })).toBeGreaterThan(0);
  });
});

describe('app code without sudo', () => {
  test("is limited to the caller's rights", async () => {
    const principal = await app.runtime.identity.principal(app.main.ctx.workspace.id, app.main.admin.id);
    const { workspace } = app.main.ctx;
    const ctx: Ctx = createCtx(app.runtime, { workspace, principal, channel: 'job', requestId: 'app' });
    await expect(unlink(ctx, 'svc.audit.event', [1])).rejects.toThrow(/not allowed to delete/);
    await expect(write(ctx, 'svc.suppression', [1], { email: 'a@b.example' })).rejects.toThrow(/not allowed/);
  });
});

describe('models reserved for administrators', () => {
  test.each(FOR_ADMINISTRATORS)('let only administrators read %s', async (model) => {
    const group = await scene.groupId('base.group_user');
    await smuggle(model, group, 'r');
    const { user } = app.main;
    for (const [method, body] of Object.entries({
      search_read: {},
      search_count: { domain: [] },
      read: { ids: [1] },
    }))
      expect((await json2(app, `${model}/${method}`, body, user.key)).status, `${model}/${method}`).toBe(403);
    await admin.value(`${model}/search_read`, { domain: [] });
    const error = await admin.expectError(422, 'ir.model.access/create', {
      vals_list: [{ name: 'x', model_id: await scene.modelId(model), group_id: group, perm_read: true }],
    });
    expect(error.message).toMatch(/only to .*Administrator/);
  });

  test.each(['contacts', 'contactBooks', 'campaigns', 'templates', 'sendingDomains', 'webhooks'])(
    'let only administrators read %s in GraphQL',
    async (list) => {
      const call = async (key: string) =>
        (await post(`${app.url}/graphql`, { query: `{ ${list} { nodes { id } } }` }, key)).json();
      expect((await call(app.main.user.key)).errors?.[0].extensions.code).toBe('FORBIDDEN');
      expect((await call(app.main.admin.key)).errors).toBeUndefined();
    },
  );
});

describe('audit trail and tool log', () => {
  test('cannot be changed through any facade', async () => {
    const key = app.main.admin.key;
    const id = (await admin.value('svc.audit.event/search', { domain: [], limit: 1 }))[0];
    const before = await admin.read('svc.audit.event', id, ['event', 'user_id', 'summary']);
    const call = (method: string, args: unknown[]) =>
      post(`${app.url}/jsonrpc`, {
        jsonrpc: '2.0',
        method: 'call',
        params: {
          service: 'object',
          method: 'execute_kw',
          args: ['main', app.main.admin.id, key, 'svc.audit.event', method, args],
        },
      });
    for (const [method, args] of [
      ['write', [[id], { event: 'forged' }]],
      ['unlink', [[id]]],
      ['create', [{ event: 'forged', channel: 'x', success: true }]],
      ['copy', [[id]]],
      ['load', [['event', 'channel'], [['forged', 'x']]]],
    ] as const) {
      const { error, result } = (await call(method, [...args])).json();
      expect(error ?? result?.messages?.length, method).toBeTruthy();
    }
    for (const field of [
      'createAuditEvent',
      'updateAuditEvent',
      'deleteAuditEvent',
      'createMcpCall',
      'createSuppression',
    ])
      expect(app.runtime.schema.getMutationType()!.getFields()[field], field).toBeUndefined();
    expect(await admin.read('svc.audit.event', id, ['event', 'user_id', 'summary'])).toEqual(before);
  });
});
