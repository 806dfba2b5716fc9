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

export interface AuditVerdict {
  workspace: string;
  log: ChainedLog;
  /** Includes blocks whose entries have been purged. */
  blocks: number;
  purged: number;
  lines: number;
  /** Hash of the last block. Comparing it with a copy kept elsewhere reveals whether later blocks have been removed. */
  last: string | null;
  /** The first block that fails verification. Null if all blocks are intact. */
  changed: string | null;
}

interface CheckedBlock extends AuditBlock {
  found: number;
  found_digest: string;
  /** True if the block's first entry is old enough to be purged. */
  is_old: boolean;
  /** True if the previous block's last entry is old enough to be purged. */
  was_old: boolean;
}

const PAGE_SIZE = 100;

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
  // Read before the blocks, so that the blocks cover every entry up to this time.
  const chainEnd = await findChainEnd(db, log);
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
  const looseCount = await countUnchainedLines(db, workspace.id, log, last, chainEnd);
  return looseCount === 0
    ? verdict
    : { ...verdict, changed: `the end: ${looseCount} entries belong to no block` };
}

/** Reads a log's blocks in order, each with a digest of its existing entries. */
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

/** Counts entries between the last block and the chain's end. Their blocks have been removed. */
async function countUnchainedLines(
  db: Db,
  workspaceId: number,
  log: ChainedLog,
  last: AuditBlock | null,
  chainEnd: string | null,
): Promise<number> {
  if (chainEnd === null) return 0;
  return db.value<number>(
    sql`select count(*)::int from ${sql.id(log)} l where l.workspace_id = ${workspaceId}
     and l.create_date > coalesce(${last?.until ?? null}::timestamp, '-infinity')
     and l.create_date <= ${chainEnd}::timestamp`,
  );
}
