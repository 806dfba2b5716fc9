import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineModule } from '../../src/engine/model/modules.ts';
import type { AppSetting } from './settings.ts';

/** A group that comes with an app. Of the groups of one privilege a user needs one, the later ones imply the former. */
export interface AppGroup {
  /** External identifier, such as `project.group_project_user`. */
  id: string;
  name: string;
  privilege?: string;
  /** External identifiers of groups whose rights its members have as well. */
  implies: string[];
}

/** What an upgrade to a version changes in the data of a workspace. */
export interface AppMigration {
  /** The version that has it, such as `1.1`. */
  version: string;
  /** Runs once in each workspace that has the app, in the transaction of the upgrade. */
  run(ctx: Ctx): Promise<void>;
}

/** A set of models with their verbs, rights and first records; a row of ir.module.module. */
export interface App {
  /** Technical name. */
  name: string;
  label: string;
  summary: string;
  /** Numbers with dots. A workspace has a version until it is upgraded. */
  version: string;
  author: string;
  /** Of an app of APPS_DIR: the version of `atrium/app` that it is written for. */
  surface?: number;
  /** What the names of its models begin with (`crm` of `crm.lead`). */
  models: string[];
  /** Technical names of the apps it builds on, and of the platform's modules: base, web, mail, contacts. */
  depends: string[];
  /** Workspaces get it when they ask for it; without it, from their beginning. */
  optional?: boolean;
  groups: AppGroup[];
  /** What administrators can set. */
  settings: AppSetting[];
  /** In the order of their versions. */
  migrations: AppMigration[];
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
