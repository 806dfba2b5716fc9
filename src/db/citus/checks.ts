import type pg from 'pg';
import { hasCitus } from './distributed.ts';
import { findDistributionFaults } from './distribution-faults.ts';

/** @throws Error with the remaining setup steps if the cluster is not ready for tables */
export async function assertNodesReady(client: pg.Client): Promise<void> {
  const faults = (await findNodeFaults(client)) ?? (await findWorkerFaults(client));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** @throws Error naming the tables that cannot be distributed */
export async function assertTablesDistributable(client: pg.Client): Promise<void> {
  const faults = [...(await findDistributionFaults(client)), ...(await findForeignOwners(client))];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Lists missing setup steps. Null if this node is the coordinator and workers are registered. */
async function findNodeFaults(client: pg.Client): Promise<string[] | null> {
  if (!(await hasCitus(client)))
    return ['This database has no Citus. On every node, run in it as a superuser: CREATE EXTENSION citus'];
  const localGroup = await client.query('select groupid from pg_dist_local_group');
  if (localGroup.rows[0].groupid !== 0)
    return ['This is a worker. DATABASE_URL must lead to the coordinator.'];
  const { rows } = await client.query<{ groupid: number }>(
    `select groupid from pg_dist_node where noderole = 'primary' and isactive`,
  );
  const faults = [];
  if (!rows.some(({ groupid }) => groupid === 0))
    faults.push(
      "The workers do not know the coordinator. Run on it: SELECT citus_set_coordinator_host('<its host>', 5432)",
    );
  if (!rows.some(({ groupid }) => groupid !== 0))
    faults.push("There is no worker. Run for each: SELECT citus_add_node('<its host>', 5432)");
  return faults.length > 0 ? faults : null;
}

interface NodeResponse {
  node: string;
  success: boolean;
  result: string;
}

/** Workers compare and sort text and truncate dates locally, so their settings must equal the coordinator's. */
async function findWorkerFaults(client: pg.Client): Promise<string[]> {
  const question = `select json_build_array(current_setting('TimeZone'), datcollate, datctype,
    pg_encoding_to_char(encoding)) from pg_database where datname = current_database()`;
  const nodeRows = await client.query<{ said: string[] }>(question.replace(')) from', ')) as said from'));
  const { rows } = await client.query<NodeResponse>(
    `select n.nodename || ':' || n.nodeport as node, r.success, r.result
     from run_command_on_workers($1) r join pg_dist_node n using (nodename, nodeport)`,
    [question],
  );
  const [, ...text] = nodeRows.rows[0]!.said;
  return rows.flatMap(({ node, success, result }) => {
    if (!success) return [`The worker ${node} does not answer: ${result}`];
    const [zone, ...theirs] = JSON.parse(result) as string[];
    const faults = [];
    if (!/^(Etc\/)?UTC$/.test(zone!))
      faults.push(
        `The worker ${node} is in ${zone}. Run there: ALTER SYSTEM SET timezone TO 'UTC'; SELECT pg_reload_conf()`,
      );
    if (theirs.join() !== text.join())
      faults.push(
        `The worker ${node} has text as ${theirs.join(', ')}, the coordinator as ${text.join(', ')}.`,
      );
    return faults;
  });
}

async function findForeignOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; owner: string; role: string }>(
    `select relname as table, relowner::regrole::text as owner, current_user::text as role from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and not pg_has_role(relowner, 'usage') order by relname`,
  );
  return rows.map(
    ({ table, owner, role }) => `${table} belongs to ${owner}, and ${role} has no right to move it.`,
  );
}

/**
 * @throws Error if other connections use the database. Their writes during the move would be neither checked nor
 * announced.
 */
export async function assertNoOtherConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like 'atrium%' and pid <> pg_backend_pid()`,
  );
  const count = rows[0]!.count;
  if (count > 0)
    throw new Error(
      `${count} connections of Atrium are open. Stop all of its processes, then run this again.`,
    );
}
