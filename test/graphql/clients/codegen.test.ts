import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../harness/app.ts';
import { buildDocuments } from './all-documents.ts';
import { generateModules } from './codegen.ts';

const run = promisify(execFile);

const app = setUpApp();
let sdl: string;
let folder: string;
beforeAll(async () => {
  const headers = { authorization: `Bearer ${app.main.user.key}` };
  sdl = await (await fetch(`${app.url}/graphql/schema.graphql`, { headers })).text();
  folder = mkdtempSync(join(tmpdir(), 'atrium-codegen-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

async function compileFiles(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    allowImportingTsExtensions: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(files) }),
  );
  const compiled = run(resolve('node_modules/.bin/tsc'), ['-p', folder]);
  return compiled.then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

/** Removes comments and the generator's internal types from the code. */
const normalizeCode = (code: string): string =>
  code
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .replace(/^type Exact<.*$/m, '')
    .replaceAll(/^(export const \w+FragmentDoc) = .*$/gm, '$1')
    .replaceAll(' as unknown as ', ' as ');

const storedDocuments = new Map(
  globSync('test/graphql/clients/documents/*.graphql').map((path) => [path, readFileSync(path, 'utf8')]),
);

/** Programs that use the generated types. `@ts-expect-error` marks lines that must not compile. */
const PROGRAM = `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { LeadsDocument, type LeadsQuery } from './operations.ts';

declare function ask<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result>;

const answer: LeadsQuery = await ask(LeadsDocument, {
  first: 10,
  where: { expectedRevenue: { gt: 1000 }, stage: { name: { startsWith: 'Q' } } },
  orderBy: [{ field: 'EXPECTED_REVENUE', direction: 'DESC' }],
});
export const names: string[] = answer.crmLeads.nodes.map((lead) => lead.name);
export const revenue: number = answer.crmLeads.nodes.reduce((sum, lead) => sum + lead.expectedRevenue, 0);
export const cursor: string | null | undefined = answer.crmLeads.pageInfo.endCursor;
export const stages: (string | undefined)[] = answer.crmLeads.nodes.map((lead) => lead.stage?.name);
// @ts-expect-error the stage may be null
export const stage: string = answer.crmLeads.nodes[0]!.stage.name;
// @ts-expect-error not a number
export const type: number = answer.crmLeads.nodes[0]!.type;
// @ts-expect-error no such operator
await ask(LeadsDocument, { where: { expectedRevenue: { above: 1000 } } });
// @ts-expect-error no such field to sort by
await ask(LeadsDocument, { orderBy: [{ field: 'REVENUE' }] });
`;

const TADA = `import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { ID: string; DateTime: string; Date: string };
}>();
const query = graphql(\`
  query Partners($where: PartnerWhere) {
    partners(first: 3, where: $where) { nodes { id name createdAt parent { name } } totalCount }
  }
\`);
declare const answer: ResultOf<typeof query>;
export const names: string[] = answer.partners.nodes.map((partner) => partner.name);
export const parents: (string | undefined)[] = answer.partners.nodes.map((partner) => partner.parent?.name);
export const variables: VariablesOf<typeof query> = { where: { name: { contains: 'a' } } };
// @ts-expect-error not a number
export const id: number = answer.partners.nodes[0]!.id;
// @ts-expect-error not selected
export const email = answer.partners.nodes[0]!.email;
// @ts-expect-error no such condition
export const wrong: VariablesOf<typeof query> = { where: { nome: { contains: 'a' } } };
`;

test('GraphQL Code Generator types every resource and operation without `any` or `unknown`', async () => {
  const documents = buildDocuments(buildSchema(sdl));
  expect(documents.size).toBeGreaterThan(300);
  const files = await generateModules(sdl, documents);
  for (const [name, code] of Object.entries(files))
    expect(normalizeCode(code).match(/.*\b(?:any|unknown)\b.*/g) ?? [], name).toEqual([]);
  expect(await compileFiles(files)).toBe('');
});

test('types the variables and results of custom documents', async () => {
  const files = await generateModules(sdl, storedDocuments);
  expect(normalizeCode(files['operations.ts']!).match(/.*\b(?:any|unknown)\b.*/g) ?? []).toEqual([]);
  expect(await compileFiles({ ...files, 'program.ts': PROGRAM })).toBe('');
});

// The command line of gql.tada reads tsconfig.json through the JavaScript API of TypeScript, which TypeScript 7 has
// removed. This function generates the same output.
test('types documents with gql.tada from the introspection', async () => {
  const introspection = introspectionFromSchema(buildSchema(sdl), { descriptions: false });
  const env = outputIntrospectionFile(
    minifyIntrospection(introspection as unknown as Parameters<typeof minifyIntrospection>[0]),
    { fileType: '.d.ts', shouldPreprocess: true },
  );
  expect(await compileFiles({ 'graphql-env.d.ts': env, 'tada.ts': TADA })).toBe('');
});
