import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { root } from '../shell/root.tsx';
import { parseRecordOrigin, parseRecordsView } from './address.ts';

const recordModels = createRoute({
  getParentRoute: () => root,
  path: '/records',
  validateSearch: ({ q }) => ({ q: typeof q === 'string' && q !== '' ? q : undefined }),
  component: lazyRouteComponent(() => import('./home.tsx'), 'RecordsHome'),
});

const records = createRoute({
  getParentRoute: () => root,
  path: '/records/$model',
  validateSearch: parseRecordsView,
  component: lazyRouteComponent(() => import('./list/list.tsx'), 'Records'),
});

const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$model/$id',
  validateSearch: parseRecordOrigin,
  component: lazyRouteComponent(() => import('./form/record-page.tsx'), 'RecordPage'),
});

const recordsImport = createRoute({
  getParentRoute: () => root,
  path: '/records/$model/import',
  component: lazyRouteComponent(() => import('./import/import.tsx'), 'RecordImportPage'),
});

const ownModels = createRoute({
  getParentRoute: () => root,
  path: '/records/models',
  component: lazyRouteComponent(() => import('./own-models/models.tsx'), 'OwnModels'),
});

const ownModel = createRoute({
  getParentRoute: () => root,
  path: '/records/models/$model',
  component: lazyRouteComponent(() => import('./own-models/model.tsx'), 'OwnModelPage'),
});

export const recordsRoutes = [recordModels, ownModels, ownModel, records, recordsImport, record] as const;
