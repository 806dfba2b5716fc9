import { type Adapter, type AdapterFactory, errors } from 'oidc-provider';
import type { OAuthStore } from '../../src/engine/ctx/runtime.ts';
import { limits } from '../../src/limits.ts';

/** Stores no sessions, so that the user decides on each consent separately. */
const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  consume: async () => undefined,
};

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
            // Only one of two concurrent requests can consume the entry.
            if (!(await rows.consume(kind, id))) throw new errors.InvalidGrant('already used');
          },
        };
