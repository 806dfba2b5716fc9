import type { GraphQLSchema } from 'graphql';
import { buildSdlText } from '../../facades/graphql/sdl.ts';
import { buildProduct } from '../../schema/index.ts';

/** Includes the apps in APPS_DIR. Needs no database. */
export const buildProductSchema = (): GraphQLSchema => buildProduct().schema;

export const printProductSdl = (): string => `${buildSdlText(buildProductSchema())}\n`;
