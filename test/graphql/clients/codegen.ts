import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

/** JSON types of Atrium's scalars, as a client configures them in the generator. */
const SCALARS = {
  ID: 'string',
  DateTime: 'string',
  Date: 'string',
  Bytes: 'string',
  TextFile: 'string',
  JSON: 'Json',
};

const JSON_TYPE = 'export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };';

const CONFIG = { scalars: SCALARS, strictScalars: true, enumsAsTypes: true, useTypeImports: true };

const PLUGINS = { typescript, operations, typedDocumentNode };

/** Generates the modules of GraphQL Code Generator for these documents, by file name. */
export async function generateModules(
  sdl: string,
  documents: Map<string, string>,
): Promise<Record<string, string>> {
  const schema = parse(sdl);
  const schemaAst = buildSchema(sdl);
  const sources = [...documents].map(([location, text]) => ({ location, document: parse(text) }));
  const generateFile = (filename: string, plugins: (keyof typeof PLUGINS)[], from: typeof sources) =>
    codegen({
      filename,
      schema,
      schemaAst,
      documents: from,
      config: CONFIG,
      plugins: [{ json: {} }, ...plugins.map((name) => ({ [name]: {} }))],
      pluginMap: { json: { plugin: () => JSON_TYPE }, ...PLUGINS },
    });
  return {
    'schema.ts': await generateFile('schema.ts', ['typescript'], []),
    'operations.ts': await generateFile('operations.ts', ['operations', 'typedDocumentNode'], sources),
  };
}
