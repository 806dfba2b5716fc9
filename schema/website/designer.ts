import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../src/engine/model/policy.ts';

export const DESIGNER_GROUP = 'website.group_website_designer';

const access = ['website.page', 'write'] as const;

export const DESIGNER_READ_POLICY: Policy = { auth: ['USER'], scope: 'read', access };
export const DESIGNER_WRITE_POLICY: Policy = { auth: ['USER'], scope: 'write', access };

/** @throws ACCESS_ERROR if the caller may not change pages */
export function checkDesigner(ctx: Ctx): void {
  assertModelAccess(ctx, getModel(ctx, 'website.page'), 'write');
}
