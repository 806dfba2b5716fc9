import { createContext, use } from 'react';
import { client } from '../graphql/client.ts';
import { ShellDocument, type ShellQuery } from './generated.ts';
import { NEEDED_OPERATIONS } from './pages.ts';

/** The current user and workspace, and the operations that the user may call. */
interface ViewerState {
  viewer: ShellQuery['viewer'];
  workspace: ShellQuery['workspace'];
  can: ReadonlySet<string>;
}

export const SIGN_OUT_FORM_ID = 'sign-out';

export const ViewerContext = createContext<ViewerState | null>(null);

/** Never null, because screens render after the viewer has loaded. */
export const useViewer = (): ViewerState => use(ViewerContext)!;

/** Reloads the user's permissions, so that the navigation reflects a change immediately. */
export const refreshViewer = (): Promise<unknown> =>
  client
    .query(ShellDocument, { operations: NEEDED_OPERATIONS }, { requestPolicy: 'network-only' })
    .toPromise();
