import { createContext, use } from 'react';
import { client } from '../graphql/client.ts';
import { ShellDocument, type ShellQuery } from './generated.ts';
import { NEEDED_OPERATIONS } from './pages.ts';

/** The current user and workspace, and the operations the user may call. */
interface ViewerState {
  viewer: ShellQuery['viewer'];
  workspace: ShellQuery['workspace'];
  can: ReadonlySet<string>;
}

export const ViewerContext = createContext<ViewerState | null>(null);

/** Screens render only after the viewer has loaded. */
export const useViewer = (): ViewerState => use(ViewerContext)!;

/** Reloads the viewer's permissions after a change, so that the navigation updates without a page reload. */
export const refreshViewer = (): Promise<unknown> =>
  client
    .query(ShellDocument, { operations: NEEDED_OPERATIONS }, { requestPolicy: 'network-only' })
    .toPromise();
