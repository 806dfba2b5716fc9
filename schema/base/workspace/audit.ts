import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { CHAINED_LOGS } from './audit-block.ts';

defineModel('svc.mcp.log', {
  group: 'data',
  display: 'tool',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: 'r',
  graph: { type: 'McpCall', one: 'mcpCall', many: 'mcpCalls' },
});

defineModel('svc.audit.event', {
  group: 'data',
  display: 'event',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: 'r',
  graph: { type: 'AuditEvent', one: 'auditEvent', many: 'auditEvents' },
});

/** Deletes entries after 90 days, oldest first (contract, "Audit"). No other code deletes entries. */
defineJob({
  name: 'audit-prune',
  cron: '17 3 * * *',
  run: async ({ db }) => {
    const before = sql`now() - make_interval(days => ${sql.literal(limits.call.auditDays)})`;
    for (const table of Object.keys(CHAINED_LOGS))
      await purgeRows(db, { table, time: 'create_date', before, key: { id: 'bigint' } });
  },
});
