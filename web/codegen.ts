import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as documents from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

// Writes `generated.ts` of each folder of web/src that has operations (`*.graphql`): their types and documents. With
// --check it writes nothing, and fails where it would.

const src = join(import.meta.dirname, 'src');
const schemaText = readFileSync(join(import.meta.dirname, '../schema/schema.graphql'), 'utf8');

/** As the server answers them in JSON. */
const SCALARS = { ID: 'string', DateTime: 'string', Date: 'string', JSON: 'unknown', Decimal: 'string' };

const config = {
  scalars: SCALARS,
  defaultScalarType: 'unknown',
  enumsAsTypes: true,
  skipTypename: true,
  useTypeImports: true,
  strictScalars: false,
  avoidOptionals: { field: true, inputValue: false },
  dedupeFragments: true,
  disableDescriptions: true,
};

const HEAD = '// Written by web/codegen.ts from the *.graphql beside it.\n';

const files = globSync(join(src, '**/*.graphql')).sort();
const schemaAst = buildSchema(schemaText, { assumeValid: true });
const stale: string[] = [];
for (const [folder, inFolder] of Map.groupBy(files, (file) => dirname(file))) {
  const target = join(folder, 'generated.ts');
  const text = `${HEAD}${await generated(inFolder, target)}`;
  if (readOr(target) === text) continue;
  stale.push(relative(process.cwd(), target));
  if (!process.argv.includes('--check')) writeFileSync(target, text);
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}; run node web/codegen.ts\n`);
  process.exit(1);
}

function generated(paths: string[], filename: string): Promise<string> {
  return codegen({
    filename,
    schema: parse('type Query { unused: Int }'),
    schemaAst,
    documents: paths.map((path) => ({
      location: basename(path),
      document: parse(readFileSync(path, 'utf8')),
    })),
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  });
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
