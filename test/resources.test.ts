import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apps } from '../apps/index.ts';
import { listGroups } from '../schema/base/users/groups.ts';
import { buildProduct } from '../schema/index.ts';
import { getPrismaModels } from '../src/db/tripwire.ts';
import { toSnakeCase } from '../src/engine/model/datamodel.ts';
import { listMixinFlags } from '../src/engine/model/mixins.ts';

const root = join(import.meta.dirname, '..');
const { registry } = buildProduct();

/** Tables of the engine itself, independent of the product, with their purpose. */
const OWN_TABLES: Record<string, string> = {
  Workspace: 'the tenant of every row',
  Installation: 'what one database knows of itself',
  IrRecord: 'rows of models that workspaces have added',
  IrRecordLink: 'their many2manys',
  IrFieldFile: 'their files',
  IrFieldIndex: 'their look-up indexes',
  IrModelData: 'external ids',
  IrSequence: 'numbers that are given out',
  SvcChange: 'changes of records for subscribers',
  SvcLive: 'which changes are noted',
  SvcEvent: 'events that wait for their subscribers',
  SvcAuditEvent: 'the audit trail of verbs',
  SvcMcpLog: 'the log of calls by agents',
  SvcReplay: 'answers kept for idempotency',
  SvcDue: 'when a workspace next has something to do',
  SvcWorker: 'which processes work',
  SvcBlob: 'contents of files: what is known of each',
  SvcBlobChunk: 'their bytes',
  SvcBlobKey: 'the key of the contents of a workspace',
  SvcSignInFailure: 'failures of sign-in, which slow the next one',
  WorkspaceCounter: 'ids that a workspace has given out',
};

const models = [...registry.values()].map(({ name }) => name);
const shapes = Object.keys(getPrismaModels()).filter((name) => !(name in OWN_TABLES));
const resources = [
  ...models.filter((name) => name.includes('.')),
  ...shapes,
  ...shapes.map(toSnakeCase),
  ...listGroups().map(({ id }) => id),
  ...listMixinFlags().flatMap(({ flag, mixin }) => [flag, mixin]),
];

/** Returns the product's names that occur in the code, without comments. */
function findAppWords(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const quotedApps = apps.filter(({ name }) => new RegExp(`['"\`]${name}['"\`.]`).test(code));
  const paths = code.match(/\w+(?:\.\w+)*/g) ?? [];
  const words = new Set([...paths, ...paths.flatMap((path) => path.split('.'))]);
  return [...resources.filter((resource) => words.has(resource)), ...quotedApps.map(({ name }) => name)];
}

/** Files that may refer to the product's tables, with the reason. */
const MAY_NAME: Record<string, string> = {
  'src/engine/model/model.ts': 'the groups that keys of agents are bound to',
  'src/engine/sql/money-sql.ts':
    'rates of currencies: sums, prices and the currencies themselves are converted by them',
  'src/db/id-allocator.ts':
    'tables whose ids the installation counts, until their statements know how many rows they add',
  'src/db/notifications/cache-invalidation.ts':
    'tables of callers, rights and models, whose changes every process hears of',
  'src/db/citus/placement.ts': 'tables that a cluster does not spread',
};

describe('product terms', () => {
  it('include models, tables, GraphQL types, groups and mixins', () => {
    expect(resources.length).toBeGreaterThan(200);
    for (const resource of ['res.partner', 'res_partner', 'ResPartner', 'base.group_system', 'mail.thread'])
      expect(resources).toContain(resource);
  });

  it.each([
    ["relation: 'res.users'", ['res.users']],
    ['select svc_domain.id from t', ['svc_domain']],
    ["/** As ir.rule has it. */ const a = 'x'; // of crm.lead", []],
    ["const MODULES = { crm: 'crm' }", ['crm']],
  ])('are found in %s: %j', (text, expected) => {
    expect(findAppWords(text)).toEqual(expected);
  });

  it.each(['src/engine', 'src/db', 'src/http'])('do not appear in %s', (folder) => {
    const words = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
      .map(
        (file) =>
          [`${folder}/${file}`, findAppWords(readFileSync(join(root, folder, file), 'utf8'))] as const,
      );
    expect(words.length).toBeGreaterThan(3);
    expect(words.filter(([file, names]) => names.length > 0 && !MAY_NAME[file])).toEqual([]);
  });
});
