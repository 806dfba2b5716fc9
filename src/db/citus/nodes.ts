import type { Db } from '../db.ts';
import { createOutageError } from '../outage.ts';
import { sql } from '../sql.ts';

export interface NodeState {
  /** `host:port`. */
  name: string;
  isUp: boolean;
  /** Age in seconds of the node's oldest prepared transaction. 0 if none is pending. */
  prepared: number;
}

interface ClusterNode {
  host: string;
  port: number;
}

const NODE_TIMEOUT_MS = 2_000;
const STATE_TTL_MS = 2_000;

/**
 * Queries each node in a separate statement, so that a hanging node does not delay the others. Waits for a node's
 * response before querying it again, so each node uses at most one connection. Returns no nodes without Citus.
 */
export function createNodeMonitor(rows: Db['rows']): () => Promise<readonly NodeState[]> {
  const pending = new Map<string, Promise<NodeState>>();
  let last: { states: Promise<readonly NodeState[]>; until: number } | null = null;

  const queryNodeState = (node: ClusterNode): Promise<NodeState> => {
    const name = `${node.host}:${node.port}`;
    const down: NodeState = { name, isUp: false, prepared: 0 };
    const queryNode = async () => {
      try {
        const [row] = await rows<{ success: boolean; result: string }>(buildNodeQuery(node));
        return row!.success ? { name, isUp: true, prepared: Number(row!.result) } : down;
      } finally {
        pending.delete(name);
      }
    };
    const result = pending.get(name) ?? queryNode();
    pending.set(name, result);
    const timeout = new Promise<NodeState>((resolve) => setTimeout(resolve, NODE_TIMEOUT_MS, down).unref());
    return Promise.race([result.catch(() => down), timeout]);
  };
  const queryAll = async () => Promise.all((await loadNodes(rows)).map(queryNodeState));
  return () => {
    if (!last || last.until < Date.now()) last = { states: queryAll(), until: Date.now() + STATE_TTL_MS };
    const { states } = last;
    states.catch(() => {
      last = null;
    });
    return states;
  };
}

/**
 * Creates a check that rejects if a workspace's node is down. The check does not query the node: node states are
 * refreshed in the background, so it may take a few seconds to notice an outage.
 */
export function createNodeGuard(
  rows: Db['rows'],
  nodes: () => Promise<readonly NodeState[]>,
): (workspaceId: number) => Promise<void> {
  let down: readonly string[] = [];
  let refreshAt = 0;
  const refresh = async () => {
    const states = await nodes();
    down = states.flatMap(({ name, isUp }) => (isUp ? [] : [name]));
  };
  return async (workspaceId) => {
    if (refreshAt < Date.now()) {
      refreshAt = Date.now() + STATE_TTL_MS;
      void refresh().catch(() => undefined);
    }
    if (down.length === 0) return;
    const [placement] = await rows<{ name: string }>(buildPlacementQuery(workspaceId));
    if (placement && down.includes(placement.name))
      throw createOutageError(`the database node ${placement.name} is down`);
  };
}

/**
 * Tables with a copy on every node can be changed only while all nodes are up. A request that changes them after other
 * tables checks this first, because a request that has changed something cannot be retried.
 * @throws BUSY if a node is down
 */
export async function assertNodesUp({ nodes }: { nodes(): Promise<readonly NodeState[]> }): Promise<void> {
  const downNode = (await nodes()).find(({ isUp }) => !isUp);
  if (downNode) throw createOutageError(`the database node ${downNode.name} is down`);
}

/** Reads only the coordinator's metadata. All tables of a workspace are on the same node. */
const buildPlacementQuery = (workspaceId: number) =>
  sql`select nodename || ':' || nodeport as name from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column(${'workspace_counter'}::regclass, ${workspaceId}::int)`;

async function loadNodes(rows: Db['rows']): Promise<ClusterNode[]> {
  const [citus] = await rows<{ there: boolean }>(
    sql`select to_regclass('pg_dist_node') is not null as there`,
  );
  if (!citus!.there) return [];
  return rows<ClusterNode>(
    sql`select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive and groupid <> 0 order by nodename, nodeport`,
  );
}

const buildNodeQuery = ({ host, port }: ClusterNode) =>
  sql`select success, result from master_run_on_worker(
    array[${host}::text], array[${port}::int], array[${PREPARED_AGE_SQL}::text], false)`;

const PREPARED_AGE_SQL = `select coalesce(extract(epoch from now() - min(prepared)), 0)
  from pg_prepared_xacts where database = current_database()`;
