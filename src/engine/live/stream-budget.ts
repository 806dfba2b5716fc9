import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

/**
 * Reserves a stream.
 * @returns a function that releases it
 * @throws BUSY if the limit is reached
 */
type ReserveStream = (workspaceId: number, caller: string) => () => void;

/** Limits the number of streams in this process. */
export function createStreamBudget(): ReserveStream {
  const open = new Map<string, number>();
  const count = (key: string, by: number) => {
    const next = (open.get(key) ?? 0) + by;
    if (next > 0) open.set(key, next);
    else open.delete(key);
  };
  const bounds = (workspaceId: number, caller: string): [string, number, string][] => [
    [`caller ${workspaceId} ${caller}`, limits.live.perCaller, 'one caller'],
    [`workspace ${workspaceId}`, limits.live.perWorkspace, 'one workspace'],
    ['process', limits.live.streams, 'one server'],
  ];
  return (workspaceId, caller) => {
    const all = bounds(workspaceId, caller);
    for (const [key, max, scope] of all)
      if ((open.get(key) ?? 0) >= max) throw errors.tooManyStreams(max, scope);
    for (const [key] of all) count(key, 1);
    return () => {
      for (const [key] of all) count(key, -1);
    };
  };
}
