import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { assertModelAccess, defineOperation, returnRecords, sql } from '../../kit/surface.ts';

export const helpdeskTicketRevokeLink = defineOperation('helpdeskTicketRevokeLink', {
  effects: ['writes', 'deletes'],
  address: 'helpdesk.ticket/action_revoke_link',
  onRecords: true,
  policy: {
    auth: ['USER'],
    scope: 'write',
    access: ['helpdesk.ticket', 'write'],
    audit: 'helpdesk.link_revoked',
  },
  description: 'Revokes the ticket page links in all emails sent so far. Later emails contain new links.',
  formAction: {
    label: 'Revoke links',
    question:
      'The links to this ticket in all emails sent so far stop working. Later emails contain new links.',
  },
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('helpdesk.ticket', facadeResult.true),
  run: (ctx, { ids }) =>
    ctx.tx(async (tx) => {
      const model = getModel(tx, 'helpdesk.ticket');
      assertModelAccess(tx, model, 'write');
      await assertRowsExist(tx, model, ids, 'write', 'no key update');
      await tx.db.rows(
        sql`update helpdesk_ticket set link_version = link_version + 1
         where workspace_id = ${tx.workspace.id} and id = any(${ids})`,
      );
      return true;
    }),
});
