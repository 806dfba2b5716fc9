import { inputSchema } from '../../input-schema.ts';
import { buildTextSchema } from '../kit.ts';

export const MODULE_ARGUMENT = buildTextSchema('Technical name, such as crm.');

export const buildModuleInputSchema = <Extra extends Record<string, object>>(extra?: Extra) =>
  inputSchema({ module: MODULE_ARGUMENT, ...extra }, ['module']);
