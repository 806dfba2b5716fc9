import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel, getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { assertAffix } from '../../../src/engine/value/sequence-name.ts';
import { allocateNextNames, allocateSequenceNames } from '../../../src/engine/write/sequence.ts';
import { errors } from '../../../src/errors.ts';

/** Sequences for record names, such as S00042. */
defineModel('ir.sequence', {
  group: 'data',
  accepts: ['number_next_actual'],
  searchNames: ['name', 'code'],
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  computed: {
    number_next_actual: {
      type: 'integer',
      label: 'Actual Next Number',
      sql: (row) => sql`${row}.number_next`,
    },
  },
  beforeCreate: (_ctx, list) => list.forEach(prepareSequence),
  beforeWrite: (_ctx, values) => prepareSequence(values),
});

function prepareSequence(values: Values): void {
  if (values.number_next_actual !== undefined) values.number_next ??= values.number_next_actual;
  delete values.number_next_actual;
  if (values.number_increment === 0)
    throw errors.validation("The field 'number_increment' (step) must not be zero.");
  if (typeof values.padding === 'number' && (values.padding < 0 || values.padding > 40))
    throw errors.validation("The field 'padding' (sequence size) must be from 0 to 40.");
  for (const part of [values.prefix, values.suffix]) if (typeof part === 'string') assertAffix(part);
}

export const sequenceNextByCode = defineOperation('sequenceNextByCode', {
  effects: ['writes'],
  address: 'ir.sequence/next_by_code',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Returns the next value of the sequence with the given code, or false if the sequence does not exist.',
  args: (arg) => ({ sequenceCode: arg.string({ required: true, description: 'Code of the sequence.' }) }),
  type: 'String',
  nullable: true,
  returns: facadeResult.json,
  run: async (ctx, { sequenceCode: code }) => {
    assertModelAccess(ctx, getModel(ctx, 'ir.sequence'), 'read');
    return (await allocateNextNames(ctx, code, 1))?.[0] ?? false;
  },
  answer: (_ctx, name) => name || null,
});

export const sequenceNextById = defineOperation('sequenceNextById', {
  effects: ['writes'],
  address: 'ir.sequence/next_by_id',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Returns the next value of a sequence.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true, description: 'Sequence to use. Pass exactly one id.' }),
  }),
  type: 'String',
  run: async (ctx, { ids }) => {
    const model = getReadableModel(ctx, 'ir.sequence');
    const [id] = ids.length === 1 ? await assertRowsAllowed(ctx, model, ids, 'read') : [];
    const names = id && (await allocateSequenceNames(ctx, id, 1));
    if (!names) throw errors.missing('ir.sequence', ids.slice(0, 10), ctx.principal?.userId);
    return names[0];
  },
});
