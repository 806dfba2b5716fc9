import { createContext, use } from 'react';
import { client } from '../graphql/client.ts';
import { ShellDocument, type ShellQuery } from './generated.ts';
import { NEEDED_OPERATIONS } from './pages.ts';

/** Who works here, where, and which of the operations that entries need are allowed. */
export interface ViewerState {
  viewer: ShellQuery['viewer'];
  workspace: ShellQuery['workspace'];
  can: ReadonlySet<string>;
}

export const ViewerContext = createContext<ViewerState | null>(null);

/** Screens are there once it is known. */
export const useViewer = (): ViewerState => use(ViewerContext)!;

/** Asks again what the viewer may do, after something that changes it: entries come and go without a reload. */
export const refreshViewer = (): Promise<unknown> =>
  client
    .query(ShellDocument, { operations: NEEDED_OPERATIONS }, { requestPolicy: 'network-only' })
    .toPromise();
