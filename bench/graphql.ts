import { compare, type Side } from './lib/compare.ts';
import { openStage } from './lib/stage.ts';

// node bench/graphql.ts   80 partners, 6 fields and a relation, beside PostGraphile 5 on the same table.
// PostGraphile comes with `npm ci` in bench/.

const OURS = `{ partners(limit: 80) { id name email phone city isCompany parent { id name } } }`;
const THEIRS = `{ allResPartners(first: 80, condition: { workspaceId: 1 }, orderBy: [COMPLETE_NAME_ASC]) {
  nodes { rowId: id name email phone city isCompany resPartnerByWorkspaceIdAndParentId { id name } } } }`;

const stage = await openStage({ ROLE: 'web' }, 'bench/graphql/postgraphile.mjs');
try {
  const graphql = (port: number, query: string, headers: Record<string, string>): Side => ({
    port,
    path: '/graphql',
    headers,
    body: JSON.stringify({ query }),
  });
  const ours = graphql(stage.app.port, OURS, { authorization: `Bearer ${stage.userKey}` });
  const theirs = graphql(stage.baseline.port, process.env.THEIRS ?? THEIRS, { accept: 'application/json' });
  for (const [name, side] of Object.entries({ ours, theirs })) {
    const rows = await count(side);
    if (rows !== 80) throw new Error(`${name} gave ${rows} rows`);
  }
  await compare('graphql', ours, theirs, 1);
} finally {
  await stage.close();
}

/** Both must give the same 80 rows; an error would be fast. */
async function count(side: Side): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${side.port}${side.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...side.headers },
    body: side.body,
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as {
    data?: { partners?: unknown[]; allResPartners?: { nodes: unknown[] } };
  };
  if (!data) throw new Error(text.slice(0, 1000));
  return (data.partners ?? data.allResPartners?.nodes ?? []).length;
}
