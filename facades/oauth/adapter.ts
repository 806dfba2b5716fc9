import { type Adapter, type AdapterFactory, errors } from 'oidc-provider';
import type { OAuthStore } from '../../src/engine/ctx/runtime.ts';
import { limits } from '../../src/limits.ts';

/** Sessions of the authorization server are kept nowhere: each consent is a decision of its own. */
const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  consume: async () => undefined,
};

/** The storage of the authorization server of a workspace, as oidc-provider asks for it. */
export const createAdapterFactory =
  (rows: OAuthStore): AdapterFactory =>
  (kind) =>
    kind === 'Session'
      ? EMPTY_ADAPTER
      : {
          ...EMPTY_ADAPTER,
          upsert: (id, payload, seconds = limits.oauth.unusedSeconds) =>
            rows.put(kind, id, { ...payload }, seconds),
          find: async (id) => (await rows.find(kind, id)) ?? undefined,
          destroy: async (id) => {
            await (kind === 'Grant' ? rows.revoke(id) : rows.drop(kind, id));
          },
          revokeByGrantId: async (grantId) => {
            await rows.revoke(grantId);
          },
          consume: async (id) => {
            // Of two who use it at the same time one comes second.
            if (!(await rows.consume(kind, id))) throw new errors.InvalidGrant('already used');
          },
        };
