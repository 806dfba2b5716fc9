import { sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { create, unlink, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { rejectAgents } from '../reject-agents.ts';
import { verifyOwnPassword } from '../verify-password.ts';
import { getYesterday } from '../yesterday.ts';
import { checkNewKey } from './key-limits.ts';
import { createKey } from './keys.ts';

// Wizard in which classic clients describe a key, confirm the password, and receive the key once.

const DESCRIPTION_MODEL = 'res.users.apikeys.description';
const IDENTITY_CHECK_MODEL = 'res.users.identitycheck';

/** Validity of a password confirmation (Odoo 19). */
const PROOF_MINUTES = 10;

const ownRecordRules = [{ name: 'own', domain: "[('create_uid', '=', user.id)]" }];

defineModel(DESCRIPTION_MODEL, {
  group: 'data',
  isWizard: true,
  access: { 'base.group_user': 'crw' },
  ceiling: 'crw',
  rules: ownRecordRules,
  beforeCreate: deleteOldWizards,
});

defineModel(IDENTITY_CHECK_MODEL, {
  group: 'data',
  isWizard: true,
  access: { 'base.group_user': 'rw' },
  ceiling: 'rw',
  rules: ownRecordRules,
  computed: {
    password: {
      type: 'char',
      label: 'Password',
      help: 'Your password. Can be written but not read.',
      sql: () => sql`null::text`,
    },
  },
  accepts: ['password'],
  beforeWrite: recordProof,
});

async function deleteOldWizards(ctx: Ctx): Promise<void> {
  await ctx.db.rows(
    sql`delete from res_users_apikeys_description
     where workspace_id = ${ctx.workspace.id} and create_date < ${getYesterday()}::timestamp`,
  );
}

/**
 * Verifies a password when it is written, and never stores it.
 * @throws USER_ERROR if it is wrong, ACCESS_DENIED during the cooldown after failures, BAD_VALUE if it is not a string
 */
async function recordProof(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const { password } = values;
  delete values.password;
  if (password === undefined) return;
  if (typeof password !== 'string')
    throw errors
      .badValue('The password must be a string.')
      .withDetails({ model: IDENTITY_CHECK_MODEL, field: 'password' });
  // Clients prompt again after a USER_ERROR.
  if (!(await verifyOwnPassword(ctx, password))) throw errors.user('Incorrect password, try again.');
  await ctx.db.rows(
    sql`update res_users_identitycheck set checked_at = now()
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
}

const policy: Policy = { auth: ['USER'], scope: 'write' };

export const userKeyDescribed = defineOperation('userKeyDescribed', {
  kind: 'mutation',
  effects: ['writes', 'grants', 'secret'],
  address: `${DESCRIPTION_MODEL}/make_key`,
  onRecords: true,
  policy,
  description:
    'Starts creating the described API key. Returns an action that refers to a `res.users.identitycheck` ' +
    'record. To create the key, write your password to that record and call its `run_check` method.',
  args: (arg) => ({
    ids: arg.recordIds({
      required: true,
      description: 'Record that describes the key. Pass exactly one id.',
    }),
  }),
  ...returnRecord(IDENTITY_CHECK_MODEL, facadeResult.json, ({ res_id: id }: { res_id: number }) => id),
  run: async (ctx, { ids }) => {
    await rejectAgents(ctx);
    return ctx.tx((tx) => beginIdentityCheck(tx, getOnlyId(DESCRIPTION_MODEL, ids)));
  },
});

export const userKeyChecked = defineOperation('userKeyChecked', {
  kind: 'mutation',
  effects: ['writes', 'secret'],
  address: `${IDENTITY_CHECK_MODEL}/run_check`,
  onRecords: true,
  policy,
  description:
    'Creates the API key if the password was written to the record or is passed as `password` in the ' +
    'context. Returns an action that contains the key, which is shown only once.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true, description: 'Record of the password check. Pass exactly one id.' }),
  }),
  type: 'String',
  returns: facadeResult.json,
  run: async (ctx, { ids }) => {
    await rejectAgents(ctx);
    const id = getOnlyId(IDENTITY_CHECK_MODEL, ids);
    const { password } = ctx.context;
    if (password !== undefined) await write(ctx, IDENTITY_CHECK_MODEL, [id], { password });
    return runAudited(ctx, 'key.create', {}, (inner) => finishIdentityCheck(inner, id));
  },
  answer: (_ctx, { context }) => context.default_key,
});

function getOnlyId(model: string, ids: number[]): number {
  if (ids.length !== 1) throw errors.notSingle(model, ids);
  return ids[0]!;
}

async function beginIdentityCheck(ctx: Ctx, id: number) {
  await assertRowsExist(ctx, getModel(ctx, DESCRIPTION_MODEL), [id], 'write');
  const [check] = await create(ctx.system(), IDENTITY_CHECK_MODEL, [{ description_id: id }]);
  return buildWindowAction(IDENTITY_CHECK_MODEL, 'Access Control', {
    res_id: check!,
    context: { dialog_size: 'medium' },
  });
}

interface KeyDescription {
  description: number;
  name: string;
  /** Unix timestamp in milliseconds. */
  until: number | null;
  isProved: boolean;
}

/** @throws USER_ERROR if the password has not been confirmed, ACCESS_DENIED for a key with limited scopes */
async function finishIdentityCheck(ctx: Ctx, id: number) {
  if (ctx.principal!.scopes) throw errors.accessDenied();
  await assertRowsExist(ctx, getModel(ctx, IDENTITY_CHECK_MODEL), [id], 'write');
  const [row] = await ctx.db.rows<KeyDescription>(
    sql`select d.id as description, d.name, (extract(epoch from d.expiration_date) * 1000)::float8 as until,
       coalesce(c.checked_at > now() - make_interval(mins => ${PROOF_MINUTES}), false) as "isProved"
     from res_users_identitycheck c
     join res_users_apikeys_description d on d.workspace_id = ${ctx.workspace.id} and d.id = c.description_id
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${id}`,
  );
  const { description, name, until, isProved } = row!;
  if (!isProved)
    throw errors.user(
      `Confirm your password by writing it to this record first. The confirmation is valid for ` +
        `${PROOF_MINUTES} minutes.`,
    );
  const expires = until === null ? null : new Date(until);
  await checkNewKey(ctx, expires);
  const userId = ctx.principal!.userId;
  const keyRequest = { name, userId, scopes: [], days: null, until: expires, isProved: true };
  const { key } = await createKey(ctx, keyRequest);
  await unlink(ctx.system(), DESCRIPTION_MODEL, [description]);
  return buildWindowAction('res.users.apikeys.show', 'API Key Ready', { context: { default_key: key } });
}

const buildWindowAction = <More extends object>(model: string, name: string, more: More) => ({
  type: 'ir.actions.act_window',
  res_model: model,
  name,
  target: 'new',
  views: [[false, 'form']],
  ...more,
});
