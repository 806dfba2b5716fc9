import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineModule } from '../../src/engine/model/modules.ts';

/** A group that comes with an app. Of the groups of one privilege a user needs one, the later ones imply the former. */
export interface AppGroup {
  /** External identifier, such as `project.group_project_user`. */
  id: string;
  name: string;
  privilege?: string;
  /** External identifiers of groups whose rights its members have as well. */
  implies: string[];
}

/** A set of models with their verbs, rights and first records; a row of ir.module.module. */
export interface App {
  /** Technical name. */
  name: string;
  label: string;
  summary: string;
  version: string;
  /** What the names of its models begin with (`crm` of `crm.lead`). */
  models: string[];
  /** Technical names of the apps it builds on. */
  depends: string[];
  groups: AppGroup[];
  /**
   * What a workspace that gets the app starts with. Its groups, rights and rules are there already. Adds what is
   * missing.
   */
  initialData(ctx: Ctx): Promise<void>;
  /** Records to try things on. Adds nothing where they are. */
  demo(ctx: Ctx): Promise<void>;
}

/** Declares an app; its models say that they are of the module of its name. */
export function defineApp(app: App): App {
  defineModule(app.name, app.models);
  return app;
}
