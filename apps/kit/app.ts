import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineModule } from '../../src/engine/model/modules.ts';
import type { AppSetting } from './settings.ts';

/**
 * A user group that an app defines. A user needs at most one group per privilege, because later groups imply the
 * earlier ones.
 */
export interface AppGroup {
  /** External identifier, such as `project.group_project_user`. */
  id: string;
  name: string;
  privilege?: string;
  /** Category of the privilege. Defaults to the category of the app. */
  category?: string;
  /** External identifiers of implied groups. Members also have the rights of these groups. */
  implies: string[];
}

/** A data migration, run when a workspace upgrades the app. */
export interface AppMigration {
  version: string;
  /** Runs once in each workspace that has the app, in the transaction of the upgrade. */
  run(ctx: Ctx): Promise<void>;
}

/** A set of models with operations, access rights and initial records. Corresponds to a record of ir.module.module. */
export interface App {
  name: string;
  label: string;
  summary: string;
  /** Category of the app and its privileges, such as `Sales`. Defaults to `Uncategorized`. */
  category?: string;
  /** Version number with dots. A workspace keeps its version until it upgrades the app. */
  version: string;
  author: string;
  /** Version of `atrium/app` that the app targets. Required in APPS_DIR. */
  surface?: number;
  /** Prefixes of the app's model names, such as `crm` for `crm.lead`. */
  models: string[];
  /** Technical names of the apps and platform modules (base, web, mail, contacts) that the app depends on. */
  depends: string[];
  /** True if workspaces install the app on request. Otherwise, every new workspace has it. */
  optional?: boolean;
  groups: AppGroup[];
  settings: AppSetting[];
  migrations: AppMigration[];
  /**
   * Creates the initial records when the app is installed in a workspace, after its groups, access rights and rules.
   * Adds only missing records.
   */
  initialData(ctx: Ctx): Promise<void>;
  /** Creates demo records unless they exist. */
  demo(ctx: Ctx): Promise<void>;
}

/** Declares an app and registers its models as belonging to the module of the same name. */
export function defineApp(app: App): App {
  defineModule(app.name, app.models);
  return app;
}
