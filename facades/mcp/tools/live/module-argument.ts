import { buildTextSchema, inputSchema } from '../kit.ts';

export const MODULE_ARGUMENT = buildTextSchema('Technical name, such as crm.');

export interface ModuleArgs {
  module: string;
}

export const buildModuleInputSchema = (extra: object = {}) =>
  inputSchema({ module: MODULE_ARGUMENT, ...extra }, ['module']);
