import type { GraphQLSchema } from 'graphql';
import { buildSdlText } from '../../facades/graphql/sdl.ts';
import { buildProduct } from '../../schema/index.ts';
import { getDatamodel } from '../../src/db/generated/pothos.ts';
import type { Datamodel } from '../../src/engine/model/datamodel.ts';

/** Includes the apps in APPS_DIR. Needs no database. */
export const buildProductSchema = (): GraphQLSchema =>
  buildProduct((getDatamodel() as unknown as { datamodel: Datamodel }).datamodel).schema;

export const printProductSdl = (): string => `${buildSdlText(buildProductSchema())}\n`;
