import { externalIds, recordMetadata } from '../../src/engine/read/metadata.ts';
import type { Policy } from '../../src/engine/verb/policy.ts';
import { verb } from '../../src/engine/verb/verb.ts';
import { setActive, toggleActive } from '../../src/engine/write/archive.ts';

// What a record is beside its values: in use or archived, made by whom and when, known by which names. Names and
// positions are those of classic RPC (Odoo 19).

const reads: Policy = { auth: ['USER'], scope: 'read' };
const writes: Policy = { auth: ['USER'], scope: 'write' };

verb('recordArchive', {
  kind: 'mutation',
  address: '*/action_archive',
  policy: writes,
  description: 'Archives the given records, which hides them from searches.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.intList({ required: true }) }),
  type: 'Boolean',
  nullable: true,
  async run(ctx, { model, ids }) {
    await setActive(ctx, model, ids, false);
    return null;
  },
});

verb('recordUnarchive', {
  kind: 'mutation',
  address: '*/action_unarchive',
  policy: writes,
  description: 'Restores archived records.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.intList({ required: true }) }),
  type: 'Boolean',
  nullable: true,
  async run(ctx, { model, ids }) {
    await setActive(ctx, model, ids, true);
    return null;
  },
});

verb('recordToggleActive', {
  kind: 'mutation',
  address: '*/toggle_active',
  policy: writes,
  description: 'Archives the active records among those given and restores the archived ones.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.intList({ required: true }) }),
  type: 'Boolean',
  nullable: true,
  async run(ctx, { model, ids }) {
    await toggleActive(ctx, model, ids);
    return null;
  },
});

verb('recordMetadata', {
  kind: 'query',
  address: '*/get_metadata',
  policy: reads,
  description: 'Returns who created and last changed each record and when, and its external id.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.intList({ required: true }) }),
  run: (ctx, { model, ids }) => recordMetadata(ctx, model, ids),
});

verb('recordExternalId', {
  kind: 'query',
  address: '*/get_external_id',
  policy: reads,
  description: 'Returns the external id of each record, or an empty string if it has none.',
  args: (arg) => ({ model: arg.string({ required: true }), ids: arg.intList({ required: true }) }),
  run: (ctx, { model, ids }) => externalIds(ctx, model, ids),
});
