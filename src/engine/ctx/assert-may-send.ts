import { errors } from '../../errors.ts';
import { hasToolGroup } from '../model/principal.ts';
import type { Ctx } from './ctx.ts';

/**
 * Checks that the caller may send email. An agent that is limited to tool groups needs `mail`, also for changes of
 * records that send, such as an invitation to an event.
 * @throws FORBIDDEN
 */
export function assertMaySend({ principal }: Pick<Ctx, 'principal'>): void {
  if (principal && !hasToolGroup(principal, 'mail')) throw errors.sendingNotIncluded();
}
