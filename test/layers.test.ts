import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Top folders of the product's own code; tests, benches and scripts may import what they like. */
const FOLDERS = ['src', 'schema', 'facades', 'apps'];

interface Import {
  from: string;
  /** Path from the root of the project for a file of ours, the package's name otherwise. */
  to: string;
}

/** Who may import what, from the top down; the first room that holds a file is the file's room. */
const ROOMS: { room: RegExp; may: RegExp; but?: RegExp }[] = [
  // Where the whole is put together.
  { room: /^src\/(main|start|cli|command)\.ts$/, may: /^(src|schema|facades)\// },
  { room: /^src\/mail\//, may: /^src\/mail\// },
  { room: /^src\/delivery\//, may: /^src\/(delivery|mail)\// },
  { room: /^src\/db\//, may: /^src\/(db\/|limits\.ts|errors\.ts|config\.ts|log\.ts|engine\/ctx\/ctx\.ts)/ },
  { room: /^src\//, may: /^src\//, but: /^src\/(main|start|cli|command)\.ts$/ },
  // The apps are listed in one place, and a new workspace gets what each brings.
  {
    room: /^schema\/(index|base\/(found|demo|groups|ir\/module))\.ts$/,
    may: /^(schema\/|src\/|apps\/(index|app)\.ts)/,
  },
  { room: /^schema\//, may: /^(schema|src)\//, but: /^src\/(main|start|cli|command|server|http)\.ts$/ },
  { room: /^apps\//, may: /^(apps|src)\//, but: /^src\/(main|start|cli|command|server|http)\.ts$/ },
  { room: /^facades\/index\.ts$/, may: /^(facades|src)\// },
  { room: /^facades\//, may: /^src\//, but: /^src\/(db|mail|delivery|main|start|cli|command)\b/ },
];

/** The generated Prisma client is reached through `src/db`; these two wire it in. */
const GENERATED = /^src\/db\/generated\//;
const MAY_USE_GENERATED = /^src\/(db\/|builder\.ts$|server\.ts$)/;

/** Asks the database whether it is there, and nothing about anybody. */
const PROBE = 'facades/watch/door.ts';

describe('who may import whom', () => {
  const imports = FOLDERS.flatMap(importsUnder);

  it('reads the imports of every room', () => {
    expect(imports.length).toBeGreaterThan(300);
    for (const folder of ['src/engine/', 'src/db/', 'src/mail/', 'src/delivery/', 'schema/', 'facades/']) {
      expect(imports.some((item) => item.from.startsWith(folder))).toBe(true);
    }
  });

  it('every import of ours is one the table allows', () => {
    expect(imports.filter((item) => isOurs(item.to) && !allowed(item)).map(shown)).toEqual([]);
  });

  it('generated Prisma is only reached through src/db', () => {
    const wrong = imports.filter((item) => GENERATED.test(item.to) && !MAY_USE_GENERATED.test(item.from));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('only src/db opens connections, and doors run no SQL', () => {
    const drivers = imports.filter(
      (item) => /^(pg|@prisma\/.*)$/.test(item.to) && !item.from.startsWith('src/db/'),
    );
    expect(drivers.map(shown)).toEqual([]);
    expect(filesUnder('facades').filter((file) => /\.rows(<[^>]*>)?\(/.test(textOf(file)))).toEqual([PROBE]);
  });

  it('nothing imports from another door', () => {
    const door = (path: string) => /^facades\/([^/]+)\//.exec(path)?.[1];
    const wrong = imports.filter(({ from, to }) => door(from) && door(to) && door(from) !== door(to));
    expect(wrong.map(shown)).toEqual([]);
  });
});

describe('the table', () => {
  it.each([
    ['facades/json2/door.ts', 'schema/data.ts'],
    ['facades/json2/door.ts', 'facades/rest/door.ts'],
    ['facades/json2/door.ts', 'src/db/pool.ts'],
    ['schema/data.ts', 'facades/index.ts'],
    ['apps/crm/lead.ts', 'schema/data.ts'],
    ['src/mail/mime.ts', 'src/limits.ts'],
    ['src/delivery/ses.ts', 'src/engine/ctx.ts'],
    ['src/engine/call.ts', 'schema/index.ts'],
    ['src/server.ts', 'facades/index.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(allowed({ from, to })).toBe(false);
  });
});

function allowed({ from, to }: Import): boolean {
  if (from.startsWith('facades/') && dirname(to).startsWith(dirname(from).split('/').slice(0, 2).join('/')))
    return true;
  const rule = ROOMS.find(({ room }) => room.test(from));
  return rule ? rule.may.test(to) && !rule.but?.test(to) : false;
}

const isOurs = (to: string): boolean =>
  FOLDERS.some((folder) => to.startsWith(`${folder}/`)) || to.startsWith('..');
const shown = ({ from, to }: Import): string => `${from} -> ${to}`;
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const IMPORT =
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function importsUnder(folder: string): Import[] {
  return filesUnder(folder).flatMap((from) =>
    [...textOf(from).matchAll(IMPORT)].map(([, named, bare, dynamic]) => {
      const target = (named ?? bare ?? dynamic)!;
      return { from, to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target };
    }),
  );
}

function filesUnder(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !GENERATED.test(file));
}
