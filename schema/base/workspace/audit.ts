import { sql } from '../../../src/db/sql.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { changeChosen } from '../../../src/engine/work/batch.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { LOGS } from './audit-block.ts';

defineModel('svc.mcp.log', {
  display: 'tool',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: 'r',
  graph: { type: 'McpCall', one: 'mcpCall', many: 'mcpCalls' },
});

defineModel('svc.audit.event', {
  display: 'event',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: 'r',
  graph: { type: 'AuditEvent', one: 'auditEvent', many: 'auditEvents' },
});

/** Contract, "Audit": lines are kept for 90 days. */
defineJob({
  name: 'audit-prune',
  cron: '17 3 * * *',
  run: async ({ db }) => {
    for (const table of Object.keys(LOGS)) {
      // Across workspaces on purpose: workspace_id is not part of the condition.
      await changeChosen(
        db,
        sql`delete from ${sql.id(table)}`,
        sql`select ctid from ${sql.id(table)} where workspace_id > 0
          and create_date < now() - make_interval(days => ${limits.call.auditDays})`,
      );
    }
  },
});
