import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { call, callMethod } from '../../src/engine/operation/call.ts';
import type { RawJson } from '../../src/engine/value/raw-json.ts';
import { limits } from '../../src/limits.ts';
import { SERVER_VERSION, VERSION_INFO } from './version.ts';

/** Builds Odoo 19's `session_info`, with the fields that clients read. */
export async function loadSessionInfo(ctx: Ctx): Promise<Record<string, unknown>> {
  const session = await call(ctx, 'sessionInfo', {});
  const { lang } = ctx.principal!;
  return {
    ...session,
    server_version: SERVER_VERSION,
    server_version_info: VERSION_INFO.server_version_info,
    'web.base.url': new URL(ctx.runtime.config.publicUrl).origin,
    active_ids_limit: limits.domain.values,
    max_file_upload_size: limits.rpc.body,
    home_action_id: await loadHomeAction(ctx),
    bundle_params: { lang },
    view_info: VIEWS,
    test_mode: false,
    quick_login: true,
    show_effect: true,
    tour_enabled: false,
    current_tour: null,
  };
}

/** Returns the id of the action that the client opens after sign-in, or false. */
async function loadHomeAction(ctx: Ctx): Promise<unknown> {
  const userRead = { ids: [ctx.principal!.userId], fields: ['action_id'], load: null };
  const [user] = ((await callMethod(ctx, 'res.users', 'read', userRead)) as RawJson).value<
    { action_id: unknown }[]
  >();
  return user!.action_id;
}

const buildViewInfo = (name: string, icon: string, isMulti = true) => ({
  display_name: name,
  icon,
  multi_record: isMulti,
});

const VIEWS = {
  list: buildViewInfo('List', 'oi oi-view-list'),
  form: buildViewInfo('Form', 'fa fa-address-card', false),
  graph: buildViewInfo('Graph', 'fa fa-area-chart'),
  pivot: buildViewInfo('Pivot', 'oi oi-view-pivot'),
  calendar: buildViewInfo('Calendar', 'fa fa-calendar'),
  kanban: buildViewInfo('Kanban', 'oi oi-view-kanban'),
  search: buildViewInfo('Search', 'oi oi-search'),
  activity: buildViewInfo('Activity', 'fa fa-clock-o'),
};
