import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../../shell/root.tsx';
import { parseAgentsView, parseHeldActionsView, parseTrailView } from './agents/address.ts';
import { parseAppsView } from './apps/address.ts';
import { parseAuditView } from './audit/address.ts';

export const adminOperationRoutes = [
  createRoute({
    ...defineScreen('/admin/audit', () => import('./audit/audit.tsx'), 'Audit'),
    validateSearch: parseAuditView,
  }),
  createRoute({
    ...defineScreen('/admin/agents', () => import('./agents/agents.tsx'), 'Agents'),
    validateSearch: parseAgentsView,
  }),
  createRoute({
    ...defineScreen('/admin/agents/held', () => import('./agents/held-actions.tsx'), 'HeldActions'),
    validateSearch: parseHeldActionsView,
  }),
  createRoute({
    ...defineScreen('/admin/agents/$id', () => import('./agents/agent.tsx'), 'AgentPage'),
    validateSearch: parseTrailView,
  }),
  createRoute({
    ...defineScreen('/admin/apps', () => import('./apps/apps.tsx'), 'Apps'),
    validateSearch: parseAppsView,
  }),
  createRoute(defineScreen('/admin/apps/$name', () => import('./apps/app.tsx'), 'AppPage')),
  createRoute(defineScreen('/admin/export', () => import('./export/exports.tsx'), 'Exports')),
  createRoute(defineScreen('/admin/jobs', () => import('./jobs/jobs.tsx'), 'Jobs')),
] as const;
