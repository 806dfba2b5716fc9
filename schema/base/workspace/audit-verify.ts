import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import {
  type AuditBlock,
  BLOCK_COLUMNS,
  CHAINED_LOGS,
  type ChainedLog,
  computeBlockHash,
  selectDigest,
} from './audit-block.ts';
import { buildRetentionStart, findChainEnd } from './audit-chain.ts';

/** What a log of a workspace looks like beside its seals. */
export interface AuditVerdict {
  workspace: string;
  log: ChainedLog;
  /** Blocks that were looked at, those whose lines are purged included. */
  blocks: number;
  purged: number;
  lines: number;
  /** Hash of the last block. Kept elsewhere, it also shows that the last blocks are gone. */
  last: string | null;
  /** The first block that is not as it was sealed; null when all are. */
  changed: string | null;
}

/** A block, and the lines that are there in its time. */
interface CheckedBlock extends AuditBlock {
  found: number;
  found_digest: string;
  /** Its first line is so old that it may be purged. */
  is_old: boolean;
  /** So is the last line of the block before. */
  was_old: boolean;
}

/** Blocks that are read with one statement. */
const PAGE_SIZE = 100;

/** Compares the logs of a workspace with their seals. */
export async function verifyLogs(
  runtime: Runtime,
  workspace: { id: number; slug: string },
): Promise<AuditVerdict[]> {
  const verdicts: AuditVerdict[] = [];
  for (const log of Object.keys(CHAINED_LOGS) as ChainedLog[])
    verdicts.push(await verifyLog(runtime, workspace, log));
  return verdicts;
}

async function verifyLog(
  { db, config }: Runtime,
  workspace: { id: number; slug: string },
  log: ChainedLog,
): Promise<AuditVerdict> {
  // Asked first: what is sealed meanwhile has a block by the time the blocks are read.
  const sealed = await findChainEnd(db, log);
  const verdict: AuditVerdict = {
    workspace: workspace.slug,
    ...{ log, blocks: 0, purged: 0, lines: 0, last: null, changed: null },
  };
  let last: CheckedBlock | null = null;
  for await (const block of readBlocks(db, workspace.id, log)) {
    const state = getBlockState(block, last, computeBlockHash(config.secretKey, workspace.id, log, block));
    if (state === 'changed') return { ...verdict, changed: describeBlock(block) };
    verdict.blocks += 1;
    verdict.lines += block.found;
    verdict.purged += state === 'purged' ? 1 : 0;
    verdict.last = block.hash;
    last = block;
  }
  const loose = await countUnchainedLines(db, workspace.id, log, last, sealed);
  return loose === 0 ? verdict : { ...verdict, changed: `the end: ${loose} lines are in no block` };
}

/** The blocks of a log in their order, with what is there of their lines. */
async function* readBlocks(db: Db, workspaceId: number, log: ChainedLog): AsyncGenerator<CheckedBlock> {
  for (let number = 0, page: CheckedBlock[] = []; ; number = page.at(-1)!.number) {
    page = await db.rows<CheckedBlock>(buildPageSql(workspaceId, log, number));
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}

function buildPageSql(workspaceId: number, log: ChainedLog, number: number): Sql {
  const lines = selectDigest(
    log,
    sql`l.workspace_id = ${workspaceId} and l.create_date > coalesce(b.after, '-infinity')
      and l.create_date <= b.until`,
  );
  return sql`select ${BLOCK_COLUMNS}, f.found, f.found_digest, since < ${buildRetentionStart()} as is_old,
      coalesce(after < ${buildRetentionStart()}, false) as was_old
    from (
      select * from svc_audit_block where workspace_id = ${workspaceId} and log = ${log} and number > ${number}
      order by number limit ${sql.literal(PAGE_SIZE)}) b
    cross join lateral (${lines}) f(found, first, found_digest) order by number`;
}

/** Pure. @param hash what that of the block has to be */
function getBlockState(
  block: CheckedBlock,
  last: CheckedBlock | null,
  hash: string,
): 'whole' | 'purged' | 'changed' {
  const isFirst = block.number === 1 && block.before === '' && block.after === null;
  const isNext = last
    ? block.number === last.number + 1 && block.before === last.hash && block.after === last.until
    : isFirst || block.was_old;
  if (!isNext || block.hash !== hash) return 'changed';
  if (block.found === block.lines && block.found_digest === block.digest) return 'whole';
  return block.is_old && block.found < block.lines ? 'purged' : 'changed';
}

const describeBlock = ({ number, since, until }: AuditBlock): string =>
  `block ${number}, ${since} to ${until}`;

/** Lines from before the last sealing that no block is about: those of blocks that are gone. */
async function countUnchainedLines(
  db: Db,
  workspaceId: number,
  log: ChainedLog,
  last: AuditBlock | null,
  sealed: string | null,
): Promise<number> {
  if (sealed === null) return 0;
  const [row] = await db.rows<{ n: number }>(
    sql`select count(*)::int as n from ${sql.id(log)} l where l.workspace_id = ${workspaceId}
     and l.create_date > coalesce(${last?.until ?? null}::timestamp, '-infinity')
     and l.create_date <= ${sealed}::timestamp`,
  );
  return row!.n;
}
