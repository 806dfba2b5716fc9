import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation, type Operation, operations } from '../../src/engine/operation/operation.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { readExternalIds, readMetadata } from '../../src/engine/read/metadata.ts';
import { setActive, toggleActive } from '../../src/engine/write/archive.ts';
import { RecordExternalId, RecordMetadata } from './record-types.ts';

// Record metadata: archived state, creator and dates, external ids. Argument names and positions follow classic RPC
// (Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };
const writes: Policy = { auth: ['USER'], scope: 'write' };

/** Finds the model's own version of a method that every model has. Calls by address prefer it as well. */
const findOwnMethod = (model: string, method: string): Operation | undefined =>
  [...operations.values()].find((operation) => operation.model === model && operation.method === method);

export const recordArchive = defineOperation('recordArchive', {
  effects: ['writes'],
  address: '*/action_archive',
  policy: writes,
  description: 'Archives the given records, which hides them from searches.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: 'Boolean',
  returns: facadeResult.null,
  async run(ctx, { model, ids }) {
    const own = findOwnMethod(model, 'action_archive');
    await (own ? own.run({ ids }, ctx) : setActive(ctx, model, ids, false));
    return null;
  },
  answer: () => true,
});

export const recordUnarchive = defineOperation('recordUnarchive', {
  effects: ['writes'],
  address: '*/action_unarchive',
  policy: writes,
  description: 'Restores archived records.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: 'Boolean',
  returns: facadeResult.null,
  async run(ctx, { model, ids }) {
    const own = findOwnMethod(model, 'action_unarchive');
    await (own ? own.run({ ids }, ctx) : setActive(ctx, model, ids, true));
    return null;
  },
  answer: () => true,
});

export const recordToggleActive = defineOperation('recordToggleActive', {
  effects: ['writes'],
  address: '*/toggle_active',
  policy: writes,
  description: 'Archives the given records that are active and restores the given records that are archived.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: 'Boolean',
  returns: facadeResult.null,
  async run(ctx, { model, ids }) {
    await toggleActive(ctx, model, ids);
    return null;
  },
  answer: () => true,
});

export const recordMetadata = defineOperation('recordMetadata', {
  effects: ['reads'],
  address: '*/get_metadata',
  policy: reads,
  description:
    'Returns the creator, creation time, last editor, time of the last change and external id of each record.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: [RecordMetadata],
  returns: facadeResult.json,
  run: (ctx, { model, ids }) => readMetadata(ctx, model, ids),
});

export const recordExternalId = defineOperation('recordExternalId', {
  effects: ['reads'],
  address: '*/get_external_id',
  policy: reads,
  description: "Returns the external id of each record, or an empty string if it doesn't have one.",
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.recordIds({ required: true }) }),
  type: [RecordExternalId],
  returns: facadeResult.json,
  run: (ctx, { model, ids }) => readExternalIds(ctx, model, ids),
  answer: (_ctx, names, { ids }) => ids.map((id): [number, string] => [id, names[id] ?? '']),
});
