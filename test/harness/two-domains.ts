import { createKey } from '../../schema/base/keys/keys.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import { sql } from '../../src/db/sql.ts';
import type { App } from './app.ts';
import { buildMail, startTeam, type Team } from './facades/rest.ts';
import type { Tenant } from './tenant.ts';

export interface TwoDomains {
  team: Team;
  other: Tenant;
  bound: string;
  keyFor(scope: string): Promise<string>;
  /**
   * Sends an email.
   * @returns its id, from its send event
   */
  sent(change: object): Promise<string>;
}

export async function startTwoDomains(): Promise<TwoDomains> {
  const team = await startTeam();
  const { ctx } = team.main;
  const keyOptions = { name: 'key', userId: null, scopes: [], days: null };
  const domainId = await addDomain(ctx, 'second.test');
  return {
    team,
    other: await team.tenant('other'),
    bound: (await createKey(ctx, { ...keyOptions, domainId })).key,
    keyFor: async (scope) => (await createKey(ctx, { ...keyOptions, scopes: [scope] })).key,
    async sent(change) {
      const { emailId: id } = (await team.send(buildMail(change))).json;
      await recordEvents(team.runtime.db, team.runtime.config, [
        { ...(await getEmailNumbers(team, id)), status: 'SENT', data: { of: id } },
      ]);
      return id;
    },
  };
}

export async function getEmailNumbers(
  { runtime }: App,
  id: string,
): Promise<{ workspaceId: number; emailId: number }> {
  const [row] = await runtime.db.rows<{ workspaceId: number; emailId: number }>(
    sql`select workspace_id as "workspaceId", id as "emailId" from svc_email
     where workspace_id > 0 and public_id = ${id}`,
  );
  return row!;
}
