import { createCache, createLoadingCache } from '../../cache.ts';
import { decryptText } from '../../encryption.ts';
import { limits } from '../../limits.ts';
import type { AgentUse, EncryptedToken, IdentitySource } from '../ctx/product.ts';
import type { Caller, Identity, TokenCaller } from '../ctx/runtime.ts';
import { computeRowHash } from './row-hash.ts';

const TOKEN_TTL_MS = 5_000;

interface TokenAuthenticator extends Pick<Identity, 'byToken'> {
  forget(workspaceId?: number): void;
  keep(isOn: boolean): void;
}

/** Returns true if the text has the format of an access token, which no API key has. */
export const isAccessToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Authenticates agents by access token. Results are cached for a few seconds and invalidated by every change. */
export function createTokenAuthenticator(secretKey: string, source: IdentitySource): TokenAuthenticator {
  const { entries } = limits.identity;
  const callers = createLoadingCache<string, TokenCaller>({ age: TOKEN_TTL_MS, entries });
  const hashes = createCache<string, string>({ entries });
  const used = createAgentUseRecorder(source.noteAgentUse);
  return {
    async byToken(workspaceId, token) {
      const hash = hashes.getOrCreate(token, () => computeRowHash(secretKey, 'AccessToken', token));
      const caller = await callers.get(`${workspaceId} ${hash}`, async () => {
        const loadedValue = await source.token(workspaceId, hash);
        const value = loadedValue && decryptToken(secretKey, loadedValue.value);
        return value && { value, expires: loadedValue.expires };
      });
      if (caller) used(caller);
      return caller;
    },
    forget: (workspaceId) =>
      callers.invalidate(workspaceId ? ({ workspace }) => workspace.id === workspaceId : undefined),
    keep: callers.setEnabled,
  };
}

/** Maps the scope `mcp:read` to the key scope `read`. Null if the token was encrypted with another key. */
function decryptToken(secretKey: string, { caller, sealed }: EncryptedToken): TokenCaller | null {
  const text = decryptText(secretKey, sealed);
  if (text === null) return null;
  const { scope = '', aud = '' } = JSON.parse(text) as { scope?: string; aud?: string };
  const scopes = scope.split(' ').map((item) => item.replace(/^mcp:/, ''));
  return { ...caller, principal: { ...caller.principal, scopes }, audience: aud };
}

const FLUSH_DELAY_MS = 2_000;

/**
 * Counts agents' calls and writes them in batches. Requests do not wait for the writes, and failed writes are dropped.
 */
function createAgentUseRecorder(write: (uses: AgentUse[]) => Promise<void>): (caller: Caller) => void {
  let waitingUses = new Map<string, AgentUse>();
  const writeAll = () => {
    const uses = [...waitingUses.values()];
    waitingUses = new Map();
    write(uses).catch(() => undefined);
  };
  return ({ workspace, principal }) => {
    const agentId = principal.agent!.id;
    const key = `${workspace.id} ${agentId}`;
    const use = waitingUses.get(key);
    if (use) use.calls++;
    else if (waitingUses.set(key, { workspaceId: workspace.id, agentId, calls: 1 }).size === 1)
      setTimeout(writeAll, FLUSH_DELAY_MS).unref();
  };
}
