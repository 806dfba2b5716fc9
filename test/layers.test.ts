import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FOLDERS, GENERATED, type Import, listFiles, listImports, readText, WEB } from './harness/imports.ts';

/**
 * Modules of the engine, one layer per line, from the lowest up. A module may import from lower layers, but not from
 * other modules of its own layer.
 */
const LAYERS = [
  ['value', 'model'],
  ['domain'],
  ['sql', 'ctx'],
  ['access', 'operation', 'identity', 'work', 'live'],
  ['read', 'write', 'describe'],
  ['table'],
];

/** Allowed imports within a layer, in one direction only. */
const SAME_LAYER_IMPORTS = [
  ['model', 'value'],
  ['operation', 'access'],
  ['sql', 'ctx'],
  ['write', 'read'],
  ['describe', 'read'],
];

const engineRules: ModuleRule[] = LAYERS.flatMap((layer, height) =>
  layer.map((folder) => {
    const sameLayer = SAME_LAYER_IMPORTS.filter(([from]) => from === folder).map(([, to]) => to);
    const allowedLayers = [...LAYERS.slice(0, height).flat(), ...sameLayer, folder];
    const may = new RegExp(`^src/(engine/(${allowedLayers.join('|')})|db|loop|[\\w-]+\\.ts)(/|$)`);
    return { folder: new RegExp(`^src/engine/${folder}/`), may };
  }),
);

interface ModuleRule {
  folder: RegExp;
  may: RegExp;
  but?: RegExp;
}

/** Import rules by module. The first pattern that matches a file determines its module. */
const MODULE_RULES: ModuleRule[] = [
  { folder: /^boot\//, may: /^(boot|src|schema|facades)\// },
  { folder: /^src\/message\//, may: /^src\/(message|loop)\// },
  { folder: /^src\/net\//, may: /^src\/net\// },
  { folder: /^src\/qweb\//, may: /^src\/(qweb\/|limits\.ts|escape-html\.ts)/ },
  { folder: /^src\/image\//, may: /^src\/(image\/|(cache|errors|limits|budget|fair-queue)\.ts)/ },
  { folder: /^src\/loop\//, may: /^src\/(loop\/|limits\.ts$)/ },
  { folder: /^src\/media\//, may: /^src\/(media\/|db\/sql\.ts)/ },
  { folder: /^src\/site\//, may: /^src\/(cache|limits)\.ts$/ },
  { folder: /^src\/text\//, may: /^src\/((text|message|loop|engine\/value)\/|thread\.ts)/ },
  { folder: /^src\/email\//, may: /^src\/(email|message|loop)\// },
  {
    folder: /^src\/db\//,
    may: /^src\/(db\/|loop\/|cache\.ts|limits\.ts|errors\.ts|config\.ts|settings\/|log\.ts|encryption\.ts|trace\.ts|version\.ts)/,
  },
  ...engineRules,
  { folder: /^src\/http\//, may: /^src\/(http|engine|net)\/|^src\/[\w-]+\.ts$/ },
  { folder: /^src\/settings\//, may: /^src\/settings\// },
  { folder: /^src\/[\w-]+\.ts$/, may: /^src\/(settings\/)?[\w-]+\.ts$/ },
  // These files list the apps and install what each app adds to a new workspace.
  {
    folder:
      /^schema\/(index|base\/(workspace\/(create-workspace|demo)|users\/groups|ir\/catalog-load|apps\/.*))\.ts$/,
    may: /^(schema\/|src\/|apps\/(index|kit\/(app|settings))\.ts)/,
  },
  { folder: /^schema\//, may: /^(schema|src)\//, but: /^src\/http\// },
  { folder: /^apps\//, may: /^(apps|src)\//, but: /^src\/http\// },
  { folder: /^facades\/smtp\/parse\.ts$/, may: /^(facades|src)\// },
  { folder: /^facades\/index\.ts$/, may: /^(facades|src)\// },
  { folder: /^facades\//, may: /^src\//, but: /^src\/(db|message|email)\b/ },
  // The web application depends on the server only through the GraphQL schema, and areas are independent of each other.
  { folder: /^web\/src\/[\w-]+\.tsx?$/, may: /^web\/src\// },
  { folder: /^web\/src\/connection\//, may: /^web\/src\/connection\// },
  { folder: /^web\/src\/i18n\//, may: /^web\/src\/(i18n|connection)\// },
  { folder: /^web\/src\/ui\//, may: /^web\/src\/(ui|i18n)\// },
  { folder: /^web\/src\/graphql\//, may: /^web\/src\/(graphql|i18n|connection)\// },
  { folder: /^web\/src\/shell\//, may: /^web\/src\/(shell|ui|graphql|i18n|connection)\// },
  ...['mailbox', 'email', 'records', 'website', 'admin', 'profile'].map((area) => ({
    folder: new RegExp(`^web/src/${area}/`),
    may: new RegExp(`^web/src/(${area}|shell|ui|graphql|i18n|connection)/`),
  })),
];

/** Only these files use the generated Prisma client; all others go through `src/db`. */
const MAY_USE_GENERATED = /^(src\/db\/|src\/engine\/operation\/builder\.ts$)/;

describe('import rules', () => {
  const imports = [...FOLDERS, WEB].flatMap(listImports);

  it('cover the imports of every module', () => {
    expect(imports.length).toBeGreaterThan(300);
    for (const folder of ['src/engine/', 'src/db/', 'src/message/', 'src/email/', 'schema/', 'facades/']) {
      expect(imports.some((item) => item.from.startsWith(folder))).toBe(true);
    }
  });

  it('allow every import in the code base', () => {
    expect(imports.filter((item) => isOurs(item.to) && !isAllowed(item)).map(formatImport)).toEqual([]);
  });

  it('allow only src/db to import generated Prisma code', () => {
    const violations = imports.filter(
      (item) => GENERATED.test(item.to) && !MAY_USE_GENERATED.test(item.from),
    );
    expect(violations.map(formatImport)).toEqual([]);
  });

  it('allow connections only in src/db, and no SQL in facades', () => {
    const drivers = imports.filter(
      (item) => /^(pg|@prisma\/.*)$/.test(item.to) && !item.from.startsWith('src/db/'),
    );
    expect(drivers.map(formatImport)).toEqual([]);
    expect(listFiles('facades').filter((file) => /\.rows(<[^>]*>)?\(/.test(readText(file)))).toEqual([]);
  });

  it('forbid imports between facades', () => {
    const getFacade = (path: string) => /^facades\/([^/]+)\//.exec(path)?.[1];
    const violations = imports.filter(
      ({ from, to }) => getFacade(from) && getFacade(to) && getFacade(from) !== getFacade(to),
    );
    expect(violations.map(formatImport)).toEqual([]);
  });
});

describe('files and folders', () => {
  it('have no import cycle between files, including type imports', () => {
    const targets = Map.groupBy([...FOLDERS, WEB].flatMap(listImports), (item) => item.from);
    const next = (file: string) => (targets.get(file) ?? []).map((item) => item.to);
    expect(findCycles([...targets.keys()], next)).toEqual([]);
  });

  it('have no import cycles between folders, apart from subfolders', () => {
    const arrows = [...FOLDERS, WEB]
      .flatMap(listImports)
      .filter((item) => isOurs(item.to) && !GENERATED.test(item.to))
      .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
      .filter(({ from, to }) => !isWithin(from, to) && !isWithin(to, from));
    const targets = Map.groupBy(arrows, (arrow) => arrow.from);
    const next = (folder: string) => (targets.get(folder) ?? []).map((arrow) => arrow.to);
    expect(findCycles([...targets.keys()], next)).toEqual([]);
  });

  it('have no source line over the maximum length', () => {
    const longFiles = [...FOLDERS, WEB].flatMap(listFiles).flatMap((file) =>
      readText(file)
        .split('\n')
        .flatMap((line, index) => (line.length > MAX_LINE_LENGTH ? `${file}:${index + 1}` : [])),
    );
    expect(longFiles).toEqual([]);
  });

  it('contain no folder with too many files', () => {
    const widths = Map.groupBy([...FOLDERS, WEB].flatMap(listFiles), (file) => dirname(file));
    const wideFolders = [...widths].filter(([, files]) => files.length > WIDEST);
    expect(wideFolders.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });
});

const MAX_LINE_LENGTH = 120;

/** Maximum number of files in a folder. */
const WIDEST = 25;

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** Returns the strongly connected components with more than one node (Tarjan). */
function findCycles(nodes: string[], next: (node: string) => string[]): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    stack.push(node);
    for (const to of next(node)) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node)!, low.get(to)!));
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1 || next(node).includes(node)) circles.push(group);
  };
  for (const node of nodes) if (!order.has(node)) visit(node);
  return circles;
}

describe('the table of allowed imports', () => {
  it.each([
    ['facades/json2/facade.ts', 'schema/data/records.ts'],
    ['facades/json2/facade.ts', 'facades/rest/facade.ts'],
    ['facades/json2/facade.ts', 'src/db/pool.ts'],
    ['schema/data/records.ts', 'facades/index.ts'],
    ['apps/crm/lead.ts', 'schema/data/records.ts'],
    ['src/message/mime.ts', 'src/limits.ts'],
    ['src/email/ses.ts', 'src/engine/ctx/ctx.ts'],
    ['src/engine/operation/call.ts', 'schema/index.ts'],
    ['src/cache.ts', 'src/engine/model/model.ts'],
    ['src/engine/read/records.ts', 'src/engine/write/write.ts'],
    ['src/engine/domain/parse.ts', 'src/engine/sql/where.ts'],
    ['src/http/http.ts', 'boot/server.ts'],
    ['web/src/ui/button.tsx', 'web/src/graphql/client.ts'],
    ['web/src/email/overview.tsx', 'web/src/mailbox/reader.tsx'],
    ['web/src/shell/rail/rail.tsx', 'web/src/email/overview.tsx'],
    ['web/src/graphql/client.ts', 'src/limits.ts'],
  ])('forbids %s to import %s', (from, to) => {
    expect(isAllowed({ from, to })).toBe(false);
  });
});

function isAllowed({ from, to }: Pick<Import, 'from' | 'to'>): boolean {
  if (from.startsWith('facades/') && dirname(to).startsWith(dirname(from).split('/').slice(0, 2).join('/')))
    return true;
  const rule = MODULE_RULES.find(({ folder }) => folder.test(from));
  return rule ? rule.may.test(to) && !rule.but?.test(to) : false;
}

const isOurs = (to: string): boolean =>
  [...FOLDERS, 'web'].some((folder) => to.startsWith(`${folder}/`)) || to.startsWith('..');
const formatImport = ({ from, to }: Import): string => `${from} -> ${to}`;
