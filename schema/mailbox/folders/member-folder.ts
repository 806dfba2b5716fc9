import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SystemFolder } from '../accounts/create-mailbox.ts';
import { createMailAccessError } from '../accounts/member-access.ts';

export interface MemberFolder {
  id: number;
  account_id: number;
  company_id: number | null;
  role: SystemFolder | null;
  name: string;
}

/** @throws ACCESS_ERROR if the folder does not exist or the caller is not a member of its mailbox */
export async function getMemberFolder(ctx: Ctx, id: number): Promise<MemberFolder> {
  const [folder] = await ctx.db.rows<MemberFolder>(
    sql`select f.id, f.account_id, a.company_id, f.role, f.name from svc_mail_folder f
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = f.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = f.account_id and a.active
     where f.workspace_id = ${ctx.workspace.id} and f.id = ${id}`,
  );
  if (!folder) throw createMailAccessError(ctx, 'Folder', 'svc.mail.folder');
  return folder;
}
