import { dirname, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FOLDERS, listFiles, parseImports, readText } from './harness/imports.ts';

// A declaration takes effect when its file is loaded. If no file imports it, the declared operation does not exist.

/** Functions that declare when called: operations, models, jobs, gauges, subscribers and so on. */
const DECLARERS =
  /\bimport \{[^}]*\b(define(?!\w*Shape\b)[A-Z]\w*|on(?:Email)?Events?|onSweep)\b[^}]*\} from/;

/** The index that must import all declaring files of a folder. The first match applies. */
const INDEXES: [folder: RegExp, index: (file: string) => string][] = [
  [/^apps\/\w+\/app\.ts$/, () => 'apps/index.ts'],
  [/^apps\/kit\//, () => 'apps/index.ts'],
  [/^apps\//, (file) => `${file.split('/').slice(0, 2).join('/')}/app.ts`],
  [/^facades\/mcp\/tools\//, () => 'facades/mcp/tools/index.ts'],
  [/^facades\/rest\/endpoints\//, () => 'facades/rest/endpoints/index.ts'],
  [/^facades\/\w+\/facade\.ts$/, () => 'facades/index.ts'],
  [/^schema\//, () => 'schema/index.ts'],
  [/^src\/engine\//, () => 'boot/server.ts'],
];

const isDeclaring = (file: string): boolean =>
  file.startsWith('facades/')
    ? /^facades\/(mcp\/tools|rest\/endpoints)\/(?!schemas\.ts|index\.ts)/.test(file)
    : DECLARERS.test(readText(file));

function collectLoaded(start: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(start)) return loaded;
  loaded.add(start);
  for (const { to, isType } of parseImports(start))
    if (!isType && FOLDERS.some((folder) => to.startsWith(`${folder}/`))) collectLoaded(to, loaded);
  return loaded;
}

function findMissingLines(files: string[]): string[] {
  const loaded = new Map<string, Set<string>>();
  return files.flatMap((file) => {
    const index = INDEXES.find(([folder]) => folder.test(file))?.[1](file);
    if (!index) return [`${file}: no index is known for it`];
    if (!loaded.has(index)) loaded.set(index, collectLoaded(index));
    return loaded.get(index)!.has(file)
      ? []
      : [`${index} needs the line: import './${relative(dirname(index), file)}';`];
  });
}

describe('declaration files', () => {
  const files = FOLDERS.flatMap(listFiles).filter(isDeclaring);

  it('are found in the source folders', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files).toContain('schema/data/records.ts');
    expect(files).toContain('apps/crm/lead.ts');
  });

  it('are all imported by an index', () => {
    expect(findMissingLines(files)).toEqual([]);
  });

  it('include every app and every facade', () => {
    const roots = FOLDERS.flatMap(listFiles).filter((file) =>
      /^apps\/\w+\/app\.ts$|^facades\/\w+\/facade\.ts$/.test(file),
    );
    expect(roots.length).toBeGreaterThan(10);
    // The SMTP facade has its own port.
    const listedRoots = roots.filter((file) => file !== 'facades/smtp/facade.ts');
    expect(findMissingLines(listedRoots)).toEqual([]);
  });

  it('are reported with the missing import if no index imports them', () => {
    expect(findMissingLines(['schema/base/forgotten.ts', 'apps/crm/forgotten.ts'])).toEqual([
      "schema/index.ts needs the line: import './base/forgotten.ts';",
      "apps/crm/app.ts needs the line: import './forgotten.ts';",
    ]);
  });
});

describe('the registry', () => {
  it('contains every tool defined in facades/mcp/tools', async () => {
    const { mcpProduct } = await import('../facades/mcp/tools/index.ts');
    const listed = new Set(mcpProduct.tools.map(({ name }) => name));
    const files = listFiles('facades/mcp/tools').map(readText);
    const definedArrays = files.flatMap((text) => [...text.matchAll(/\bname: '(\w+)',\s*title: '/g)]);
    expect(definedArrays.length).toBeGreaterThan(30);
    expect(definedArrays.map(([, name]) => name!).filter((name) => !listed.has(name))).toEqual([]);
  });

  it('contains every endpoint defined in facades/rest/endpoints', async () => {
    const { endpoints } = await import('../facades/rest/endpoints/index.ts');
    const definedArrays = listFiles('facades/rest/endpoints').flatMap((file) => [
      ...readText(file).matchAll(/\boperationId: '(\w+)'/g),
    ]);
    const listed = endpoints.map(({ operationId }) => operationId);
    expect(listed.sort()).toEqual(definedArrays.map(([, id]) => id).sort());
  });
});
