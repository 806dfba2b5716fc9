import { inputSchema, textSchema } from '../kit.ts';

export const MODULE_ARGUMENT = textSchema('Technical name, such as crm.');

export interface ModuleArgs {
  module: string;
}

export const moduleInputSchema = (extra: object = {}) =>
  inputSchema({ module: MODULE_ARGUMENT, ...extra }, ['module']);
