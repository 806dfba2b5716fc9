import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toPascalCase } from '../../src/engine/model/datamodel.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { PrismaWhere } from './where.ts';

/** A model that Prisma reads for GraphQL. */
export interface ResourceSource {
  /** Name in the registry, for access rights and record rules. */
  model: string;
  prisma: string;
  /** Limits the rows visible to a key that is bound to a domain. If absent, the key sees all rows. */
  bound?(ctx: Ctx, domainId: number): PrismaWhere | Promise<PrismaWhere>;
}

export interface SettingsResource extends ResourceSource {
  type: string;
  /** Field that callers use to identify a row. */
  key: 'id' | 'public_id';
  policy: Policy;
}

type ResourceOptions = Pick<SettingsResource, 'type' | 'policy' | 'bound'> &
  Partial<Pick<SettingsResource, 'key'>>;

/** @param model name in the registry, such as `svc.api.key`, which is `SvcApiKey` in the Prisma schema */
export const createResource = (
  model: string,
  { key = 'id', ...rest }: ResourceOptions,
): SettingsResource => ({
  ...rest,
  model,
  prisma: toPascalCase(model),
  key,
});

export const resources = new Map<string, SettingsResource>();
