import { TEXT, takes } from '../kit.ts';

/** The argument of tools for one app. */
export const MODULE = TEXT('Technical name, such as crm.');

export interface ModuleArgs {
  module: string;
}

export const takesModule = (more: object = {}) => takes({ module: MODULE, ...more }, ['module']);
