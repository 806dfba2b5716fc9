import { useSyncExternalStore } from 'react';
import type { Connection } from './connection.ts';
import { addConnectionListener, getConnection } from './server.ts';

export const useConnection = (): Connection => useSyncExternalStore(addConnectionListener, getConnection);
