import { errors } from '../../errors.ts';
import { hasToolGroup } from '../model/principal.ts';
import type { Ctx } from './ctx.ts';

/**
 * Agents limited to tool groups need the group `mail`, even for record changes that send mail, such as an event
 * invitation.
 * @throws FORBIDDEN
 */
export function assertMaySend({ principal }: Pick<Ctx, 'principal'>): void {
  if (principal && !hasToolGroup(principal, 'mail')) throw errors.sendingNotIncluded();
}
