import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder, GraphQLJson } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { Viewer } from './viewer.ts';

const Theme = defineEnumShape('ViewTheme', 'Colors of the browser application.', {
  system: 'Follows the system setting of the device.',
  light: 'Dark on light.',
  dark: 'Light on dark.',
});

const Density = defineEnumShape('ViewDensity', 'Row density of lists.', {
  comfortable: '64 pixels per row.',
  cozy: '52 pixels per row.',
  compact: '36 pixels per row.',
});

const SHORTCUTS_DESCRIPTION = 'True if shortcuts of a single key, such as `j` and `k`, are enabled.';

const Preferences = defineTypedShape('ViewPreferences', "A user's preferences for the browser application.", {
  theme: { type: Theme, description: 'Colors.' },
  density: { type: Density, description: 'Row density of lists.' },
  shortcuts: { type: 'Boolean', description: SHORTCUTS_DESCRIPTION },
});

/** Apply on all of the user's devices. */
type ViewPreferences = ValueOf<typeof Preferences>;

const DEFAULT_PREFERENCES: ViewPreferences = { theme: 'system', density: 'cozy', shortcuts: true };

builder.objectField(Viewer, 'preferences', (t) =>
  t.field({
    type: Preferences.ref,
    nullable: true,
    description: "The user's preferences for the browser application. Null until they are saved.",
    resolve: async (_viewer, _args, ctx) => ((await loadPreferences(ctx)) ?? null) as never,
  }),
);

export const viewPreferencesSave = defineOperation('viewPreferencesSave', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    "Saves the caller's preferences for the browser application. Omitted preferences keep their values.",
  args: (arg) => ({
    theme: arg({ type: Theme.ref as never, description: 'Colors.' }),
    density: arg({ type: Density.ref as never, description: 'Row density of lists.' }),
    shortcuts: arg.boolean({ description: SHORTCUTS_DESCRIPTION }),
  }),
  type: Preferences.ref,
  returns: GraphQLJson,
  run: (ctx, preferences) => savePreferences(ctx, preferences as Partial<ViewPreferences>),
});

async function loadPreferences(ctx: Ctx): Promise<ViewPreferences | undefined> {
  const { userId } = ctx.principal!;
  if (userId === null) return;
  const [row] = await ctx.db.rows<ViewPreferences>(
    sql`select theme, density, shortcuts from svc_view_preferences
     where workspace_id = ${ctx.workspace.id} and user_id = ${userId}`,
  );
  return row;
}

async function savePreferences(ctx: Ctx, preferences: Partial<ViewPreferences>): Promise<ViewPreferences> {
  const { theme = null, density = null, shortcuts = null } = preferences;
  const [row] = await ctx.db.rows<ViewPreferences>(
    sql`insert into svc_view_preferences as p (workspace_id, user_id, theme, density, shortcuts)
     values (${ctx.workspace.id}, ${ctx.principal!.userId}, coalesce(${theme}::text, ${DEFAULT_PREFERENCES.theme}),
       coalesce(${density}::text, ${DEFAULT_PREFERENCES.density}),
        coalesce(${shortcuts}::boolean, ${DEFAULT_PREFERENCES.shortcuts}))
     on conflict (workspace_id, user_id) do update set theme = coalesce(${theme}::text, p.theme),
       density = coalesce(${density}::text, p.density), shortcuts = coalesce(${shortcuts}::boolean, p.shortcuts)
     returning theme, density, shortcuts`,
  );
  return row!;
}
