import type { Db } from '../db.ts';
import { sql } from '../sql.ts';

/** A node of a Citus cluster, other than the coordinator. */
export interface NodeState {
  /** As `host:port`. */
  name: string;
  isUp: boolean;
  /** Seconds since the oldest of its transactions that wait for their commit was prepared; 0 when none waits. */
  prepared: number;
}

interface Node {
  host: string;
  port: number;
}

/** Milliseconds in which a node has to answer. */
const PATIENCE = 2_000;
/** Milliseconds for which an answer is given again. */
const FRESH = 2_000;

/**
 * Asks the nodes, each in a statement of its own, because one that hangs must not hide the others. It is asked again
 * only when it has answered, so that it holds one connection. Gives no nodes where there is no Citus.
 */
export function createNodes(rows: Db['rows']): () => Promise<readonly NodeState[]> {
  const asked = new Map<string, Promise<NodeState>>();
  let last: { states: Promise<readonly NodeState[]>; until: number } | null = null;

  const stateOf = (node: Node): Promise<NodeState> => {
    const name = `${node.host}:${node.port}`;
    const down: NodeState = { name, isUp: false, prepared: 0 };
    const ask = async () => {
      try {
        const [row] = await rows<{ success: boolean; result: string }>(questionTo(node));
        return row!.success ? { name, isUp: true, prepared: Number(row!.result) } : down;
      } finally {
        asked.delete(name);
      }
    };
    const answer = asked.get(name) ?? ask();
    asked.set(name, answer);
    const late = new Promise<NodeState>((resolve) => setTimeout(resolve, PATIENCE, down).unref());
    return Promise.race([answer.catch(() => down), late]);
  };
  const look = async () => Promise.all((await nodesOf(rows)).map(stateOf));
  return () => {
    if (!last || last.until < Date.now()) last = { states: look(), until: Date.now() + FRESH };
    const { states } = last;
    states.catch(() => {
      last = null;
    });
    return states;
  };
}

async function nodesOf(rows: Db['rows']): Promise<Node[]> {
  const [citus] = await rows<{ there: boolean }>(
    sql`select to_regclass('pg_dist_node') is not null as there`,
  );
  if (!citus!.there) return [];
  return rows<Node>(
    sql`select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive and groupid <> 0 order by nodename, nodeport`,
  );
}

const questionTo = ({ host, port }: Node) =>
  sql`select success, result from master_run_on_worker(
    array[${host}::text], array[${port}::int], array[${PREPARED}::text], false)`;

const PREPARED = `select coalesce(extract(epoch from now() - min(prepared)), 0)
  from pg_prepared_xacts where database = current_database()`;
