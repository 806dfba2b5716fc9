import { errors } from '../../errors.ts';

export const MAX_STREAMS_PER_CALLER = 50;
const MAX_STREAMS_PER_WORKSPACE = 2_000;
const MAX_STREAMS = 5_000;

/**
 * Reserves a stream.
 * @returns a function that releases it
 * @throws BUSY if the limit is reached
 */
type StreamBudget = (workspaceId: number, caller: string) => () => void;

export function createStreamBudget(): StreamBudget {
  const streamCounts = new Map<string, number>();
  const changeCount = (key: string, delta: number) => {
    const next = (streamCounts.get(key) ?? 0) + delta;
    if (next > 0) streamCounts.set(key, next);
    else streamCounts.delete(key);
  };
  const buildBounds = (workspaceId: number, caller: string): [string, number, string][] => [
    [`caller ${workspaceId} ${caller}`, MAX_STREAMS_PER_CALLER, 'one caller'],
    [`workspace ${workspaceId}`, MAX_STREAMS_PER_WORKSPACE, 'one workspace'],
    ['process', MAX_STREAMS, 'one server'],
  ];
  return (workspaceId, caller) => {
    const all = buildBounds(workspaceId, caller);
    for (const [key, max, scope] of all)
      if ((streamCounts.get(key) ?? 0) >= max) throw errors.tooManyStreams(max, scope);
    for (const [key] of all) changeCount(key, 1);
    return () => {
      for (const [key] of all) changeCount(key, -1);
    };
  };
}
