import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../shell/root.tsx';
import { parseRecordOrigin, parseRecordsView } from './address.ts';

export const recordsRoutes = [
  createRoute({
    ...defineScreen('/records', () => import('./home.tsx'), 'RecordsHome'),
    validateSearch: ({ q }) => ({ q: typeof q === 'string' && q !== '' ? q : undefined }),
  }),
  createRoute(defineScreen('/records/models', () => import('./own-models/models.tsx'), 'OwnModels')),
  createRoute(defineScreen('/records/models/$model', () => import('./own-models/model.tsx'), 'OwnModelPage')),
  createRoute({
    ...defineScreen('/records/$model', () => import('./list/list.tsx'), 'Records'),
    validateSearch: parseRecordsView,
  }),
  createRoute(
    defineScreen('/records/$model/import', () => import('./import/import.tsx'), 'RecordImportPage'),
  ),
  createRoute({
    ...defineScreen('/records/$model/$id', () => import('./form/record-page.tsx'), 'RecordPage'),
    validateSearch: parseRecordOrigin,
  }),
] as const;
